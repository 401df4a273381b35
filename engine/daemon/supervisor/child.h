// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that was started here, and that ends with its owner.

#ifndef HALFTONED_DAEMON_SUPERVISOR_CHILD_H_
#define HALFTONED_DAEMON_SUPERVISOR_CHILD_H_

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
  // Starts `executable` with `inherited` as its descriptor `as`, this process'
  // standard descriptors, and no other; no signal is blocked or ignored.
  static Result<Child> Start(const std::string& executable,
                             const std::vector<std::string>& arguments,
                             int inherited, int as);

  Child(Child&& other) noexcept { *this = std::move(other); }
  Child& operator=(Child&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(pidfd_, other.pidfd_);
    return *this;
  }
  // Kills and reaps it, if it has not been reaped.
  ~Child();

  pid_t pid() const { return pid_; }
  // Readable once it has ended.
  int fd() const { return pidfd_.get(); }
  void Kill();
  // How it ended, for a person; nothing while it runs. Not to be called again
  // afterwards.
  std::optional<std::string> Reap();

 private:
  Child() = default;

  pid_t pid_ = 0;  // 0: reaped
  Descriptor pidfd_;
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_CHILD_H_
