// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages for the front end only, not for clients:
//   /halftone-inner/let-go?NAME     before the printer is deleted: 200 once
//                                   nothing of PAPPL's uses it, 409 if some
//                                   does
//   /halftone-inner/test-page?NAME  the printer's test page, a PDF document

#pragma once

#include <pappl/pappl.h>

#include "printer_app/jobs/job_turns.h"

namespace halftoned {

// `turns` exists until the process ends.
void AddTurnPages(pappl_system_t* system, JobTurns& turns);

}  // namespace halftoned
