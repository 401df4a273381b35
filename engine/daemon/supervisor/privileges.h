// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drops root privileges before anything is opened, and raises the limit of open
// files.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "daemon/confine/confine.h"

namespace halftoned::daemon {

// Errors of both functions name the line of the wrong setting.
Result<void> CheckUser(const Setting<std::string>& user);  // refuses root
Result<gid_t> GroupOf(const Setting<std::string>& group);

// Creates missing folders. As root, also makes the configured user their owner,
// and switches to that user, with the configured group as a supplementary
// group. Returns the workers' user if it is a different one: this process can
// still become that user, and only Confine (confine.h) keeps it from becoming
// others.
Result<std::optional<WorkerUser>> LeaveRoot(
    const DaemonConfig& config, const std::vector<std::string>& folders);
// kBug if it could regain root privileges.
Result<void> CheckRootIsLeft();

// Raises the limit of open files as far as allowed; returns the new limit.
uint64_t RaiseFileLimit();

}  // namespace halftoned::daemon
