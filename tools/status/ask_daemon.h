// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks halftoned's status socket.

#pragma once

#include <string>

#include "base/result.h"
#include "config/config.h"

namespace halftoned {

// Sends the question "text", "json" or "metrics" to the status socket at
// `path`, and returns the daemon's answer.
Result<std::string> AskDaemon(const std::string& path,
                              const std::string& question, int patience_ms);

// Reads the daemon's sockets and user from the file that $HALFTONED_CONF names,
// or else from the installed file; without a file, returns the defaults. Errors
// name the file and the line.
Result<DaemonConfig> ReadDaemonConfig();

}  // namespace halftoned
