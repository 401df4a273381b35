// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of the system and of its printers, as PAPPL 1.3 reads them.
// PAPPL's own text of them has all jobs, too, and writes a file for each that
// waits.

#pragma once

#include <pappl/pappl.h>

#include <string>

namespace halftoned {

// Locks the system and each printer to read.
std::string PrintersText(pappl_system_t* system);

}  // namespace halftoned
