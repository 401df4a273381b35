// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs workers as another user than the supervisor, if root has started it:
// then no worker can signal, trace or read the supervisor. The supervisor keeps
// the capabilities to become that user; the system call filter (system_calls.h)
// allows it to become no other.

#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>

#include "base/result.h"
#include "daemon/confine/confine.h"

namespace halftoned::daemon {

// Calls `become`, which makes root another user, such that this process and the
// programs that it starts can still become a third.
Result<void> KeepChangingUsers(const std::function<Result<void>()>& become);
// Gives up these capabilities.
Result<void> StopChangingUsers();

// Becomes the user of a worker for good, with no group but its own. The
// supervisor must be able to change users.
Result<void> BecomeWorker(const WorkerUser& user);

// Kills a child, of this user or of that of workers. Any thread may call it.
void KillChild(pid_t child, std::optional<uid_t> worker_user);

}  // namespace halftoned::daemon
