// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pages Ghostscript makes, and what it takes CMYK for, is told by the
// variable GS_OPTIONS, whose options it takes before those of its command line:
// so the renderer remains the system's, and its command line what it is. A mark
// goes with them, and comes back in each header (page_mark.h).

#include "filter/pdf/renderer.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "filter/page_mark.h"

namespace halftoned {
namespace {

// How long a renderer may take to end when it is told to.
constexpr int kGraceMilliseconds = 1000;

std::vector<std::string> EnvironmentOf(const RendererOrder& order,
                                       const std::string& pages) {
  std::vector<std::string> variables;
  std::string options;
  for (char** at = environ; *at; ++at) {
    const std::string_view variable = *at;
    if (variable.starts_with("GS_OPTIONS=")) {
      options = std::string(variable.substr(strlen("GS_OPTIONS="))) + " ";
    } else if (!variable.starts_with("TMPDIR=")) {
      variables.emplace_back(variable);
    }
  }
  variables.push_back("TMPDIR=" + order.folder);
  options += "-sDefaultCMYKProfile=" + order.cmyk_profile;
  if (!pages.empty()) options += " -sPageList=" + pages;
  options += " -sOutputType=";
  options += pages.empty() ? kRenderedMark : kListedMark;
  variables.push_back("GS_OPTIONS=" + options);
  return variables;
}

std::vector<char*> PointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

struct Child {
  const char* program;
  char* const* words;
  char* const* environment;
  int document;
  int raster;
  pid_t parent;
};

// In the child, where nothing may be allocated.
[[noreturn]] void Execute(const Child& child) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != child.parent) ::_exit(EXIT_FAILURE);
  ::signal(SIGPIPE, SIG_DFL);
  ::dup2(child.document, STDIN_FILENO);
  ::dup2(child.raster, STDOUT_FILENO);
  ::execve(child.program, child.words, child.environment);
  ::_exit(EXIT_FAILURE);
}

}  // namespace

Result<Renderer> Renderer::Start(const RendererOrder& order,
                                 const std::string& pages) {
  HALFTONED_TRY_ASSIGN(const Descriptor document,
                       Descriptor::Open(order.document, O_RDONLY));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot make a pipe");
  }
  Descriptor raster(ends[0]);
  const Descriptor written(ends[1]);

  std::vector<std::string> words = {order.program};
  // Without the file that cupsd may name: the document comes on stdin.
  for (char* word : order.words.first(5)) words.emplace_back(word);
  std::vector<std::string> environment = EnvironmentOf(order, pages);
  const std::vector<char*> word_pointers = PointersTo(words);
  const std::vector<char*> variable_pointers = PointersTo(environment);
  const Child child{
      order.program.c_str(), word_pointers.data(), variable_pointers.data(),
      document.get(),        written.get(),        ::getpid()};
  const pid_t process = ::fork();
  if (process < 0) return ErrnoError(ErrorCode::kIo, "cannot start a process");
  if (process == 0) Execute(child);
  // Here too, since the child may not have come to it when it is to end.
  ::setpgid(process, process);
  return Renderer(process, std::move(raster));
}

Renderer::Renderer(Renderer&& other) noexcept
    : group_(other.group_),
      process_(std::exchange(other.process_, 0)),
      status_(other.status_),
      raster_(std::move(other.raster_)) {}

Renderer::~Renderer() {
  raster_.Close();
  if (process_ == 0) return;
  Terminate();
  for (int waited = 0; waited < kGraceMilliseconds && !HasEnded();
       waited += 5) {
    ::poll(nullptr, 0, 5);
  }
  ::kill(-group_, SIGKILL);
  while (!HasEnded()) ::poll(nullptr, 0, 5);
}

bool Renderer::HasEnded() {
  const std::lock_guard lock(mutex_);
  if (process_ == 0) return true;
  const pid_t ended = ::waitpid(process_, &status_, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
  process_ = 0;
  return true;
}

bool Renderer::WasKilled() { return HasEnded() && WIFSIGNALED(status_); }

Result<void> Renderer::Finish(const Stop& stop) {
  // Old kernels have none: then it is asked now and then.
  const Descriptor ended(
      static_cast<int>(::syscall(SYS_pidfd_open, group_, 0)));
  const int pause = ended.open() ? -1 : 10;
  while (!HasEnded()) {
    pollfd waits[] = {{stop.fd(), POLLIN, 0}, {ended.get(), POLLIN, 0}};
    ::poll(waits, 2, pause);
    if (stop.requested()) return IoError("the job was cancelled");
  }
  if (WIFEXITED(status_) && WEXITSTATUS(status_) == 0) return {};
  // What it has started may not know that it is gone.
  ::kill(-group_, SIGKILL);
  return BadInput(WIFSIGNALED(status_)
                      ? "the renderer was ended by signal " +
                            std::to_string(WTERMSIG(status_))
                      : "the renderer failed with status " +
                            std::to_string(WEXITSTATUS(status_)));
}

void Renderer::Terminate() {
  const std::lock_guard lock(mutex_);
  if (process_ == 0) return;
  ::kill(-process_, SIGTERM);
  // One that is stopped would not see it.
  ::kill(-process_, SIGCONT);
}

}  // namespace halftoned
