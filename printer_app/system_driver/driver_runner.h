// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process between the server and a driver. It becomes the parent of all that
// the driver starts and leaves, in whatever group or session, and ends with
// none of them left:
//
//   halftone-printer-app driver-run PROGRAM ARGUMENT...
//
// Its exit status is the driver's; it ends by a signal that has ended the
// driver. On SIGTERM it ends the driver and the rest.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace halftoned {

// The words of a process that runs these.
std::vector<std::string> WithRunner(std::vector<std::string> words);

// Does its work if these are its words, and gives the exit status. Call it
// first in main.
std::optional<int> RunDriver(int argc, char* argv[]);

}  // namespace halftoned
