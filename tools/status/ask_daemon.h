// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks halftoned's status socket.

#pragma once

#include <string>

#include "base/result.h"
#include "config/config.h"

namespace halftoned {

// The answer of the daemon whose status socket is at `path` to the question
// "text", "json" or "metrics".
Result<std::string> AskDaemon(const std::string& path,
                              const std::string& question, int patience_ms);

// The daemon's sockets, and the user that it runs as, in the file that
// $HALFTONED_CONF names, or in the installed one; the defaults where there is
// none. An error names the file and the line.
Result<DaemonConfig> ReadDaemonConfig();

}  // namespace halftoned
