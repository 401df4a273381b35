// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "base/descriptor.h"

namespace halftoned {
namespace {

// How long a process may take to end when told to.
constexpr int kGraceMilliseconds = 1000;

std::vector<char*> PointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

struct Birth {
  char* const* words;
  char* const* environment;
  int input;
  int output;
  int messages;
  const Confinement* confinement;  // null: none
  const ChildLimits* limits;       // null: none
  bool ends_with_thread;
  pid_t parent;
};

void LimitOne(__rlimit_resource resource, rlim_t most) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= most) return;
  limit.rlim_cur = limit.rlim_max = most;
  ::setrlimit(resource, &limit);
}

// A server that limits its own memory does not limit what it starts.
void FreeFromOwnLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_DATA, &limit);
}

// Marks descriptors that other threads have opened without close-on-exec.
void CloseOthers([[maybe_unused]] const std::vector<int>& kept) {
#ifdef SYS_close_range
  constexpr unsigned kOnExec = 4;  // CLOSE_RANGE_CLOEXEC
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, kOnExec);
#endif
  for (const int descriptor : kept) ::fcntl(descriptor, F_SETFD, 0);
}

void Confine(const Confinement& confinement) {
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  LimitOne(RLIMIT_CORE, 0);
  CloseOthers(confinement.descriptors);
}

// In the child, where nothing may be allocated.
[[noreturn]] void Execute(const Birth& birth) {
  ::setpgid(0, 0);
  if (birth.ends_with_thread) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != birth.parent) ::_exit(EXIT_FAILURE);
  for (const int number : {SIGPIPE, SIGXFSZ}) ::signal(number, SIG_DFL);
  // Unblocks all signals: the program decides which it blocks.
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(birth.input, STDIN_FILENO);
  ::dup2(birth.output, STDOUT_FILENO);
  ::dup2(birth.messages, STDERR_FILENO);
  if (birth.confinement) Confine(*birth.confinement);
  if (birth.limits) Limit(*birth.limits);
  ::execve(birth.words[0], birth.words, birth.environment);
  ::_exit(EXIT_FAILURE);
}

// If the system runs out of memory, it ends this process first.
void OfferToEnd() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, "500", 3);
  ::close(file);
}

}  // namespace

// AddressSanitizer needs more addresses than any limit, so a program of ours
// that is built with it cannot be limited like this.
void Limit(const ChildLimits& limits) {
  FreeFromOwnLimit();
  OfferToEnd();
  LimitOne(RLIMIT_AS, limits.memory);
  LimitOne(RLIMIT_FSIZE, limits.file_bytes);
  LimitOne(RLIMIT_NOFILE, limits.files);
}

std::vector<std::string> EnvironmentWithout(
    std::initializer_list<std::string_view> names) {
  std::vector<std::string> variables;
  for (char** at = environ; *at; ++at) {
    const std::string_view variable = *at;
    const std::string_view name = variable.substr(0, variable.find('='));
    if (std::ranges::find(names, name) == names.end()) {
      variables.emplace_back(variable);
    }
  }
  return variables;
}

Result<Child> Child::Start(ChildOrder order) {
  const std::vector<char*> words = PointersTo(order.words);
  const std::vector<char*> variables = PointersTo(order.environment);
  const Birth birth{words.data(),
                    variables.data(),
                    order.input,
                    order.output,
                    order.messages,
                    order.confinement ? &*order.confinement : nullptr,
                    order.limits ? &*order.limits : nullptr,
                    order.ends_with_thread,
                    ::getpid()};
  const pid_t process = ::fork();
  if (process < 0) return ErrnoError(ErrorCode::kIo, "cannot start a process");
  if (process == 0) Execute(birth);
  // Here too, since the child might not have done it yet when it is ended.
  ::setpgid(process, process);
  return Child(std::move(order.name), process);
}

Result<Child> Child::Fork(std::string name, const std::function<void()>& work) {
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) return ErrnoError(ErrorCode::kIo, "cannot start a process");
  if (process == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(EXIT_FAILURE);
    for (const int number : {SIGTERM, SIGINT}) ::signal(number, SIG_DFL);
    try {
      work();
    } catch (...) {
      ::_exit(EXIT_FAILURE);
    }
    ::_exit(EXIT_SUCCESS);
  }
  ::setpgid(process, process);
  return Child(std::move(name), process);
}

Child::Child(Child&& other) noexcept
    : name_(other.name_),
      group_(other.group_),
      process_(std::exchange(other.process_, 0)),
      status_(other.status_) {}

void Child::End() {
  if (process_ == 0) return;
  Terminate();
  for (int waited = 0; waited < kGraceMilliseconds && !HasEnded();
       waited += 5) {
    ::poll(nullptr, 0, 5);
  }
  ::kill(-group_, SIGKILL);
  while (!HasEnded()) ::poll(nullptr, 0, 5);
}

bool Child::HasEnded() {
  const std::lock_guard lock(mutex_);
  if (process_ == 0) return true;
  const pid_t ended = ::waitpid(process_, &status_, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
  process_ = 0;
  return true;
}

bool Child::WasKilled() { return HasEnded() && WIFSIGNALED(status_); }

bool Child::WasKilledBy(int signal) {
  return WasKilled() && WTERMSIG(status_) == signal;
}

bool Child::HasCrashed() {
  constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  return std::ranges::any_of(
      kCrashes, [this](int signal) { return WasKilledBy(signal); });
}

std::optional<std::chrono::nanoseconds> Child::CpuTime() const {
  clockid_t clock;
  timespec time;
  if (::clock_getcpuclockid(group_, &clock) != 0 ||
      ::clock_gettime(clock, &time) != 0) {
    return std::nullopt;
  }
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::nanoseconds(time.tv_nsec);
}

Result<void> Child::Finish(const Stop& stop,
                           std::optional<std::chrono::milliseconds> most) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun = Clock::now();
  // Old kernels have no pidfd: then the child is polled.
  const Descriptor ended(
      static_cast<int>(::syscall(SYS_pidfd_open, group_, 0)));
  int pause = ended.open() ? -1 : 10;
  while (!HasEnded()) {
    if (most) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(
          begun + *most - Clock::now());
      if (left.count() <= 0) {
        return IoError(name_ + " takes longer than " +
                       std::to_string(most->count() / 1000) + " s");
      }
      pause = ended.open() ? static_cast<int>(left.count()) : pause;
    }
    pollfd waits[] = {{stop.fd(), POLLIN, 0}, {ended.get(), POLLIN, 0}};
    ::poll(waits, 2, pause);
    if (stop.requested()) return IoError("the job was canceled");
  }
  if (WIFEXITED(status_) && WEXITSTATUS(status_) == 0) return {};
  // Processes that it has started might not notice its end.
  ::kill(-group_, SIGKILL);
  return BadInput(WIFSIGNALED(status_)
                      ? name_ + " was ended by signal " +
                            std::to_string(WTERMSIG(status_))
                      : name_ + " failed with status " +
                            std::to_string(WEXITSTATUS(status_)));
}

void Child::Terminate() {
  const std::lock_guard lock(mutex_);
  if (process_ == 0) return;
  ::kill(-process_, SIGTERM);
  // A stopped process would not see the signal.
  ::kill(-process_, SIGCONT);
}

}  // namespace halftoned
