// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone status --watch`: shows the status again and again.

#ifndef HALFTONED_TOOLS_STATUS_WATCH_STATUS_H_
#define HALFTONED_TOOLS_STATUS_WATCH_STATUS_H_

#include <functional>
#include <string>

#include "base/result.h"

namespace halftoned {

// Asks every `seconds`, and paints what `ask` says on the terminal, or, where
// standard output is none, prints it. An error of `ask` is shown in its place.
// Returns when it cannot write; signals end it, and leave nothing to restore.
Result<void> WatchStatus(int seconds,
                         const std::function<Result<std::string>()>& ask);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_STATUS_WATCH_STATUS_H_
