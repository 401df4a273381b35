// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/workers/worker_child.h"

#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "daemon/confine/users.h"

namespace halftoned::daemon {
namespace {

// The child's attributes, in the form that posix_spawn takes.
class SpawnForms {
 public:
  SpawnForms(int inherited, int as) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, inherited, as);
    ::posix_spawnattr_init(&attributes_);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    ::sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnForms() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnForms(const SpawnForms&) = delete;
  SpawnForms& operator=(const SpawnForms&) = delete;

  int Spawn(pid_t* pid, char* const* argv) const {
    return ::posix_spawn(pid, argv[0], &actions_, &attributes_, argv, environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status)) {
    const char* name = ::sigabbrev_np(WTERMSIG(status));
    return std::string("killed by SIG") + (name ? name : "?");
  }
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Result<Child> Child::Start(const std::string& executable,
                           const std::vector<std::string>& arguments,
                           int inherited, int as,
                           std::optional<uid_t> worker_user) {
  std::vector<char*> argv = {const_cast<char*>(executable.c_str())};
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  Child child;
  child.worker_user_ = worker_user;
  const SpawnForms forms(inherited, as);
  errno = forms.Spawn(&child.pid_, argv.data());
  if (errno != 0) {
    child.pid_ = 0;
    return ErrnoError(ErrorCode::kUnavailable, executable);
  }
  child.pidfd_ =
      Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child.pid_, 0U)));
  if (!child.pidfd_.open()) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot watch a process");
  }
  return child;
}

Child::~Child() {
  if (pid_ == 0) return;
  Kill();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Child::Kill() { KillChild(pid_, worker_user_); }

std::optional<std::string> Child::Reap() {
  int status = 0;
  const pid_t reaped = ::waitpid(pid_, &status, WNOHANG);
  if (reaped == 0) return std::nullopt;
  pid_ = 0;
  return reaped > 0 ? HowItEnded(status) : "unknown exit status";
}

}  // namespace halftoned::daemon
