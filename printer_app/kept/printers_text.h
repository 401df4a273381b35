// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of the system and of its printers, as PAPPL 1.3 reads them.
// PAPPL's own function also saves all jobs, and writes a file for each waiting
// one.

#pragma once

#include <pappl/pappl.h>

#include <string>

#include "printer_app/kept/live_printers.h"

namespace halftoned {

// Locks the system, and then each printer, for reading. Call it with LockCopies
// (job_lock.h).
std::string PrintersText(pappl_system_t* system, LivePrinters& printers);

}  // namespace halftoned
