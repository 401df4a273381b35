// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child process, which ends with its owner.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned::daemon {

class Child {
 public:
  // Starts `executable` with `inherited` as its descriptor `as`, the standard
  // descriptors of this process, and no others; no signal is blocked or
  // ignored. worker_user: the child's user, if it differs from this process's.
  static Result<Child> Start(const std::string& executable,
                             const std::vector<std::string>& arguments,
                             int inherited, int as,
                             std::optional<uid_t> worker_user = std::nullopt);

  Child(Child&& other) noexcept { *this = std::move(other); }
  Child& operator=(Child&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(pidfd_, other.pidfd_);
    std::swap(worker_user_, other.worker_user_);
    return *this;
  }
  // Kills and reaps it, if it has not been reaped.
  ~Child();

  pid_t pid() const { return pid_; }
  // Readable once it has ended.
  int fd() const { return pidfd_.get(); }
  void Kill();
  // How it ended, for the log; nothing while it runs. Must not be called again
  // once it has returned a text.
  std::optional<std::string> Reap();

 private:
  Child() = default;

  pid_t pid_ = 0;  // 0: reaped
  Descriptor pidfd_;
  std::optional<uid_t> worker_user_;
};

}  // namespace halftoned::daemon
