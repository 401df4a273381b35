// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks halftoned's status socket.

#ifndef HALFTONED_TOOLS_STATUS_ASK_DAEMON_H_
#define HALFTONED_TOOLS_STATUS_ASK_DAEMON_H_

#include <string>

#include "base/result.h"

namespace halftoned {

// The answer of the daemon whose status socket is at `path` to the question
// "text", "json" or "metrics".
Result<std::string> AskDaemon(const std::string& path,
                              const std::string& question, int patience_ms);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_STATUS_ASK_DAEMON_H_
