// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/confine/users.h"

#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "base/descriptor.h"

namespace halftoned::daemon {
namespace {

constexpr uint32_t kChangeUsers = 1U << CAP_SETUID | 1U << CAP_SETGID;

bool SetCapabilities(uint32_t all) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, 2> sets{{{all, all, all}, {}}};
  return ::syscall(SYS_capset, &header, sets.data()) == 0;
}

}  // namespace

Result<void> KeepChangingUsers(const std::function<Result<void>()>& become) {
  ::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
  HALFTONED_TRY(become());
  bool is_kept = SetCapabilities(kChangeUsers);
  for (const unsigned long capability : {CAP_SETUID, CAP_SETGID}) {
    is_kept = is_kept && ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE,
                                 capability, 0, 0) == 0;
  }
  if (is_kept) return {};
  return ErrnoError(
      ErrorCode::kUnavailable,
      "cannot keep the capabilities to start workers as another user");
}

Result<void> StopChangingUsers() {
  if (SetCapabilities(0)) return {};
  return ErrnoError(ErrorCode::kUnavailable, "cannot drop capabilities");
}

Result<void> BecomeWorker(const WorkerUser& user) {
  if (::setgroups(0, nullptr) != 0 ||
      ::setresgid(user.gid, user.gid, user.gid) != 0 ||
      ::setresuid(user.uid, user.uid, user.uid) != 0) {
    return ErrnoError(ErrorCode::kUnavailable,
                      "cannot become the user of workers");
  }
  return StopChangingUsers();
}

void KillChild(pid_t child, std::optional<uid_t> worker_user) {
  if (!worker_user) {
    ::kill(child, SIGKILL);
    return;
  }
  // Unlike the C library's setresuid, changes the user of this thread alone,
  // and only the effective user, so that no other process can signal it.
  constexpr auto kSame = static_cast<uid_t>(-1);
  const uid_t own = ::geteuid();
  ::syscall(SYS_setresuid, kSame, *worker_user, kSame);
  ::kill(child, SIGKILL);
  ::syscall(SYS_setresuid, kSame, own, kSame);
}

}  // namespace halftoned::daemon
