// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes from answers what a caller must not know about jobs. Pure.

#pragma once

#include <cups/ipp.h>

#include <string_view>

#include "printer_app/front/rules/caller.h"

namespace halftoned {

// Makes a request for jobs ask for owners too. Whether it did so before.
bool AskForOwners(ipp_t* request);

// Reduces other users' jobs in the answer to what everybody may know.
// keeps_owners: false if the client did not ask for owners.
void WithholdJobs(ipp_t* answer, const Caller& caller, std::string_view user,
                  bool keeps_owners);

// The same for events of jobs.
void WithholdEvents(ipp_t* answer, const Caller& caller, std::string_view user);

}  // namespace halftoned
