// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process between the server and a driver. It becomes the parent of all
// processes that the driver leaves behind, in any group or session, and ends
// only when none of them is left:
//
//   halftone-printer-app driver-run PROGRAM ARGUMENT...
//
// Its exit status is the driver's. If a signal ended the driver, it ends by the
// same signal. On SIGTERM it ends the driver and all other processes.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace halftoned {

// The command line of a process that runs `words`.
std::vector<std::string> WithRunner(std::vector<std::string> words);

// If this is the command line of such a process, does its work and returns the
// exit status. Call it first in main.
std::optional<int> RunDriver(int argc, char* argv[]);

}  // namespace halftoned
