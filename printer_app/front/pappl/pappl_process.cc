// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/pappl_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>

#include "base/unix_socket.h"

namespace halftoned {
namespace {

constexpr std::chrono::milliseconds kLook{10};

// Renderers have limits of their own, which can be higher.
void LimitMemory(uint64_t most) {
  rlimit limit = {};
  if (most == 0 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(most, limit.rlim_max);
  setrlimit(RLIMIT_DATA, &limit);
}

// Between fork and exec: nothing that takes a lock.
[[noreturn]] void Become(char* const* words, int kept, uint64_t most_memory,
                         pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  LimitMemory(most_memory);
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

Result<void> PapplProcess::Start(const std::vector<std::string>& more) {
  // Somebody may have removed it meanwhile.
  mkdir(socket_.substr(0, socket_.rfind('/')).c_str(), S_IRWXU);
  HALFTONED_TRY(AddressOf(socket_));
  unlink(socket_.c_str());
  std::vector<std::string> texts = words_;
  texts.insert(texts.end(), more.begin(), more.end());
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) Become(words.data(), kept_, most_memory_, parent);
  if (process_ < 0) return ErrnoError(ErrorCode::kIo, "fork");
  return {};
}

bool PapplProcess::WaitUntilItListens() {
  int status = 0;
  while (!ConnectTo(socket_).ok()) {
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

// Small requests still get memory for a while where large ones do not, so the
// limit itself is seldom reached.
bool PapplProcess::IsFull() const {
  constexpr uint64_t kPartsLeft = 16;
  if (most_memory_ == 0 || process_ <= 0) return false;
  std::ifstream file("/proc/" + std::to_string(process_) + "/statm");
  uint64_t pages = 0;  // of data and stacks, as RLIMIT_DATA counts them
  for (int field = 0; field < 6; ++field) file >> pages;
  const auto bytes = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return file && bytes >= most_memory_ - most_memory_ / kPartsLeft;
}

// The state follows the name, which may contain anything.
bool WaitsForDisk(pid_t process) {
  std::error_code error;
  std::filesystem::directory_iterator threads(
      "/proc/" + std::to_string(process) + "/task", error);
  for (; !error && threads != std::filesystem::end(threads);
       threads.increment(error)) {
    std::ifstream file(threads->path() / "stat");
    std::string text;
    std::getline(file, text);
    const size_t end = text.rfind(") ");
    if (end != text.npos && text.substr(end + 2, 1) == "D") return true;
  }
  return false;
}

bool PapplProcess::HasEnded(int& status) {
  if (process_ > 0 && waitpid(process_, &status, WNOHANG) != process_) {
    return false;
  }
  process_ = -1;
  return true;
}

}  // namespace halftoned
