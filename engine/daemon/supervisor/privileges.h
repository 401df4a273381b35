// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the process may do: root becomes somebody else before anything is
// opened, and files may be open in number.

#ifndef HALFTONED_DAEMON_SUPERVISOR_PRIVILEGES_H_
#define HALFTONED_DAEMON_SUPERVISOR_PRIVILEGES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace halftoned::daemon {

// If this is root: makes the folders, his from then on, where they are missing,
// and becomes `user`, with `group` beside his own groups. For others there is
// nothing to do but to make the folders.
Result<void> LeaveRoot(const std::string& user, const std::string& group,
                       const std::vector<std::string>& folders);

// Allows as many open files as the process may allow itself: how many.
uint64_t RaiseFileLimit();

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_PRIVILEGES_H_
