// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the process may do: root becomes somebody else before anything is
// opened, and files may be open in number.

#ifndef HALFTONED_DAEMON_SUPERVISOR_PRIVILEGES_H_
#define HALFTONED_DAEMON_SUPERVISOR_PRIVILEGES_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/config.h"

namespace halftoned::daemon {

// Errors of these three say where the configuration names whom they cannot
// find.
Result<void> CheckUser(const Setting<std::string>& user);  // not root either
Result<gid_t> GroupOf(const Setting<std::string>& group);

// If this is root: makes the folders, the user's from then on, where they are
// missing, and becomes the configured user, with the configured group beside
// his own. For others there is nothing to do but to make the folders.
Result<void> LeaveRoot(const DaemonConfig& config,
                       const std::vector<std::string>& folders);

// Allows as many open files as the process may allow itself: how many.
uint64_t RaiseFileLimit();

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_PRIVILEGES_H_
