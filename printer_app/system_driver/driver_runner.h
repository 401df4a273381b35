// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process between the server and a driver. It becomes the parent of all
// processes that the driver starts and leaves behind, in whatever group or
// session, and ends only when none of them is left:
//
//   halftone-printer-app driver-run PROGRAM ARGUMENT...
//
// Its exit status is the driver's; if a signal ended the driver, the same
// signal ends it. On SIGTERM it ends the driver and the rest.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace halftoned {

// The words of a process that runs these.
std::vector<std::string> WithRunner(std::vector<std::string> words);

// If these are its words, does its work and returns the exit status. Call it
// first in main.
std::optional<int> RunDriver(int argc, char* argv[]);

}  // namespace halftoned
