// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/driver_runner.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace halftoned {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr char kRun[] = "driver-run";
constexpr timespec kLookAtDriver{0, 50'000'000};
// Less than Child waits for this process.
constexpr std::chrono::milliseconds kGraceOfDriver{500};

sigset_t Awaited() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int each : {SIGTERM, SIGCHLD}) sigaddset(&signals, each);
  return signals;
}

// Those of this process, which has one thread, and those that lost theirs.
std::vector<pid_t> Children() {
  const std::string self = std::to_string(getpid());
  std::ifstream file("/proc/self/task/" + self + "/children");
  std::vector<pid_t> children;
  for (pid_t each = 0; file >> each;) children.push_back(each);
  return children;
}

class RunningDriver {
 public:
  // words: end with null.
  explicit RunningDriver(char* words[]) : process_(fork()) {
    if (process_ == 0) Become(words);
    has_ended_ = process_ < 0;
    // It reads alone, so that its end is seen.
    const int none = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(none, STDIN_FILENO);
  }

  // Returns when the driver and all that writes for it have ended, or are to.
  void Wait() {
    const sigset_t signals = Awaited();
    while (!Reap() || IsWrittenTo()) {
      const int signal = has_ended_
                             ? sigtimedwait(&signals, nullptr, &kLookAtDriver)
                             : sigwaitinfo(&signals, nullptr);
      if (signal == SIGTERM) return Terminate();
    }
  }

  int EndLikeIt() const {
    if (process_ < 0) return EXIT_FAILURE;
    if (!WIFSIGNALED(status_)) return WEXITSTATUS(status_);
    const int number = WTERMSIG(status_);
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    kill(getpid(), number);
    const sigset_t signals = Awaited();
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
    return EXIT_FAILURE;
  }

 private:
  [[noreturn]] static void Become(char* words[]) {
    // So that it can be told without this process.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const sigset_t signals = Awaited();
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
    execv(words[0], words);
    _exit(EXIT_FAILURE);
  }

  // Whether the driver has ended.
  bool Reap() {
    int status = 0;
    for (pid_t each; (each = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (each != process_) continue;
      status_ = status;
      has_ended_ = true;
    }
    return has_ended_;
  }

  // Whether a process that the driver left has its output open.
  static bool IsWrittenTo() {
    struct stat output;
    if (fstat(STDOUT_FILENO, &output) != 0) return false;
    return std::ranges::any_of(Children(), [&](pid_t child) {
      const std::string folder = "/proc/" + std::to_string(child) + "/fd";
      std::error_code error;
      for (fs::directory_iterator at(folder, error), end; !error && at != end;
           at.increment(error)) {
        struct stat file;
        if (stat(at->path().c_str(), &file) == 0 &&
            file.st_dev == output.st_dev && file.st_ino == output.st_ino) {
          return true;
        }
      }
      return false;
    });
  }

  void Terminate() {
    if (has_ended_) return;
    const sigset_t signals = Awaited();
    const auto end = Clock::now() + kGraceOfDriver;
    // Itself, in case it is not yet in its group.
    for (const pid_t each : {process_, -process_}) {
      kill(each, SIGTERM);
      kill(each, SIGCONT);
    }
    while (!Reap() && Clock::now() < end) {
      sigtimedwait(&signals, nullptr, &kLookAtDriver);
    }
    if (!has_ended_) status_ = SIGKILL;
  }

  const pid_t process_;
  bool has_ended_ = false;
  int status_ = 0;
};

// Children of those that are killed become children of this process.
void KillAll() {
  for (auto children = Children(); !children.empty(); children = Children()) {
    for (const pid_t child : children) kill(child, SIGKILL);
    waitpid(-1, nullptr, 0);
  }
}

}  // namespace

std::vector<std::string> WithRunner(std::vector<std::string> words) {
  words.insert(words.begin(), {"/proc/self/exe", kRun});
  return words;
}

std::optional<int> RunDriver(int argc, char* argv[]) {
  if (argc < 3 || std::strcmp(argv[1], kRun) != 0) return std::nullopt;
  const sigset_t signals = Awaited();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGCHLD, SIG_DFL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  RunningDriver driver(argv + 2);
  driver.Wait();
  KillAll();
  return driver.EndLikeIt();
}

}  // namespace halftoned
