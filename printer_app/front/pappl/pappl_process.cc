// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/pappl_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "base/descriptor.h"

namespace halftoned {
namespace {

constexpr std::chrono::milliseconds kLook{10};

bool Listens(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  const Descriptor trial(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return connect(trial.get(), reinterpret_cast<sockaddr*>(&address),
                 sizeof(address)) == 0;
}

// Between fork and exec: nothing that takes a lock.
[[noreturn]] void Become(char* const* words, int kept, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  // dup2 leaves a descriptor of the same number as it is.
  if (kept == PapplProcess::kKept) {
    fcntl(kept, F_SETFD, 0);
  } else {
    dup2(kept, PapplProcess::kKept);
  }
  // This program, also if its user cannot enter its directory.
  execv("/proc/self/exe", words);
  _exit(127);
}

}  // namespace

Result<void> PapplProcess::Start() {
  if (socket_.size() >= sizeof(sockaddr_un::sun_path)) {
    return IoError(socket_ + ": the path is too long for a socket");
  }
  unlink(socket_.c_str());
  std::vector<std::string> texts = words_;
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) Become(words.data(), kept_, parent);
  if (process_ < 0) return ErrnoError(ErrorCode::kIo, "fork");
  return {};
}

bool PapplProcess::WaitUntilItListens() {
  int status = 0;
  while (!Listens(socket_)) {
    if (HasEnded(status)) return false;
    std::this_thread::sleep_for(kLook);
  }
  return true;
}

void PapplProcess::Stop() const {
  if (process_ > 0) kill(process_, SIGTERM);
}

void PapplProcess::Kill() const {
  if (process_ > 0) kill(process_, SIGKILL);
}

bool PapplProcess::HasEnded(int& status) {
  if (process_ > 0 && waitpid(process_, &status, WNOHANG) != process_) {
    return false;
  }
  process_ = -1;
  return true;
}

}  // namespace halftoned
