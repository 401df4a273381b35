// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes from answers what a caller must not know about jobs. Takes time in
// proportion to their length. Pure.

#pragma once

#include <cups/ipp.h>

#include <string_view>
#include <vector>

#include "printer_app/front/rules/caller.h"
#include "printer_app/front/rules/message.h"

namespace halftoned {

// Names of attributes.
using AddedNames = std::vector<std::string_view>;

// Makes a request for jobs ask for owners too; and for the reasons for a state
// if it asks for the message about it, and the other way round: PAPPL leaves
// out one without the other, or makes it up. Returns what it added.
AddedNames AskForMore(ipp_t* request);

// Lowers the limit of a request for jobs, so that a list of thousands does not
// cost seconds. PAPPL puts the newest of the ended jobs first.
void LimitJobs(Ipp& request, int most);

// Reduces other users' jobs in the answer to what everybody may know. Returns
// the answer.
// added: by AskForMore.
Ipp WithholdJobs(ipp_t* answer, const Caller& caller, std::string_view user,
                 const AddedNames& added);

// The same for events of jobs.
Ipp WithholdEvents(ipp_t* answer, const Caller& caller, std::string_view user);

}  // namespace halftoned
