// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs wait for their turn on hold, under words that no client uses
// (handover/hold.h), and raster waits under other format names
// (jobs/raster_document.h). This translates both, for PAPPL and back for
// clients. Pure.

#pragma once

#include <string>
#include <string_view>

#include "printer_app/front/rules/message.h"

namespace halftoned {

// Translates a request that creates, holds or releases a job into the words for
// PAPPL.
Ipp ForTurns(Ipp request);

// Whether a job is held, and does not only wait for its turn, after this
// request of a client, which creates, holds or releases it.
bool IsHeldBy(ipp_t* request);

// The hold in a request, or the one of a job without a word.
std::string HoldOf(ipp_t* request);

// Asks for the holds of jobs, too, if the request asks for some attributes of
// them. False if it did not ask for holds itself.
bool AskForHolds(ipp_t* request);

// Translates an answer into the words for clients. keeps_holds: they asked for
// holds. hold: of a job whose hold is not in the answer.
Ipp ForClients(Ipp answer, bool keeps_holds, std::string_view hold);

}  // namespace halftoned
