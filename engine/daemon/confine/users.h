// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs workers as a different user than the supervisor, if root has started it,
// so that no worker can signal, trace or read the supervisor. The supervisor
// keeps the capabilities to become that user; the system call filter
// (system_calls.h) allows no other user.

#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>

#include "base/result.h"
#include "daemon/confine/confine.h"

namespace halftoned::daemon {

// Calls `become`, which makes root another user. This process and the programs
// that it starts can still change to a third user.
Result<void> KeepChangingUsers(const std::function<Result<void>()>& become);
// Gives up these capabilities.
Result<void> StopChangingUsers();

// Becomes the user of a worker permanently, without supplementary groups. The
// supervisor must be able to change users.
Result<void> BecomeWorker(const WorkerUser& user);

// Kills a child that runs as this user or as the workers' user. Any thread may
// call it.
void KillChild(pid_t child, std::optional<uid_t> worker_user);

}  // namespace halftoned::daemon
