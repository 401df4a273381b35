// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes from answers what a caller must not know about jobs. Takes time in
// proportion to their length. Pure.

#pragma once

#include <cups/ipp.h>

#include <string_view>

#include "printer_app/front/rules/caller.h"
#include "printer_app/front/rules/message.h"

namespace halftoned {

// Makes a request for jobs ask for owners too. Whether it did so before.
bool AskForOwners(ipp_t* request);

// Lowers the limit of a request for jobs, so that a list of thousands does not
// cost seconds. PAPPL puts the newest of the ended jobs first.
void LimitJobs(Ipp& request, int most);

// Reduces other users' jobs in the answer to what everybody may know. Returns
// the answer.
// keeps_owners: false if the client did not ask for owners.
Ipp WithholdJobs(ipp_t* answer, const Caller& caller, std::string_view user,
                 bool keeps_owners);

// The same for events of jobs.
Ipp WithholdEvents(ipp_t* answer, const Caller& caller, std::string_view user);

}  // namespace halftoned
