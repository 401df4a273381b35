// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sub-command `server`: two processes of this program. The front end has
// the sockets; PAPPL is behind it.

#pragma once

#include <string>
#include <vector>

#include "printer_app/application.h"

namespace halftoned {

// The sub-command of PAPPL's process, which only the front end starts.
inline constexpr char kBehind[] = "behind";

// words: the command line, beginning with this program's path. Both functions
// return the exit status.
int RunServer(const std::vector<std::string>& words);
int RunBehind(const std::vector<std::string>& words, Application& application);

}  // namespace halftoned
