// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/ghostscript.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "base/text.h"
#include "print/process/pipe.h"
#include "print/render/gs_program.h"

namespace halftoned {
namespace {

// Enough for any page, of which it holds a band at a time.
constexpr rlim_t kMostMemory = rlim_t{4} << 30;
// Less than this is not enough for some.
constexpr rlim_t kLeastMemory = rlim_t{1} << 30;
// Of its messages; the first are those that matter.
constexpr size_t kMostMessages = size_t{64} << 10;

// A small machine keeps half of what it has.
rlim_t MemoryLimit() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return kMostMemory;
  const rlim_t half =
      static_cast<rlim_t>(pages) / 2 * static_cast<rlim_t>(page);
  return std::clamp(half, kLeastMemory, kMostMemory);
}

std::string Number(double number) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.6f", number);
  return text.data();
}

constexpr std::string_view kDropped[] = {
    "GS_OPTIONS=", "GS_DEVICE=", "TMPDIR=", "TEMP="};

void AddSizes(const DrawingOrder& order, std::vector<std::string>& words) {
  const auto& size = order.fit ? order.fit : order.usual_size;
  if (size) {
    words.push_back("-dDEVICEWIDTHPOINTS=" + Number(size->first));
    words.push_back("-dDEVICEHEIGHTPOINTS=" + Number(size->second));
  }
  if (order.fit) {
    words.insert(words.end(), {"-dFIXEDMEDIA", "-dFitPage"});
  } else if (order.is_eps) {
    words.emplace_back("-dEPSCrop");
  }
  if (order.pixels) {
    words.push_back("-g" + std::to_string(order.pixels->first) + "x" +
                    std::to_string(order.pixels->second));
    words.emplace_back("-dFIXEDMEDIA");
  }
}

std::vector<std::string> WordsOf(const DrawingOrder& order,
                                 const Descriptor& profile) {
  const std::string profile_path =
      "/proc/self/fd/" + std::to_string(profile.get());
  std::vector<std::string> words = {
      "gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dNOPROMPT",
      // A page that cannot be drawn whole is an error.
      "-dPDFSTOPONERROR",
      // Its messages must not come among the pages.
      "-sstdout=%stderr",
      "-r" + Number(order.dots_across) + "x" + Number(order.dots_down),
      "--permit-file-read=" + profile_path,
      "-sDefaultCMYKProfile=" + profile_path};
  words.push_back(std::string("-sDEVICE=") + order.device);
  if (!order.pages.empty()) {
    words.push_back("-sPageList=" + order.pages);
  } else {
    words.push_back("-dFirstPage=" + std::to_string(order.first_page));
  }
  if (order.last_page) {
    words.push_back("-dLastPage=" + std::to_string(*order.last_page));
  }
  words.insert(words.end(), order.device_options.begin(),
               order.device_options.end());
  AddSizes(order, words);
  words.insert(words.end(), {"-sOutputFile=%stdout", "/dev/fd/0"});
  return words;
}

// Its own variables could take -dSAFER back, which lets documents at all files
// of the folder for temporary ones.
std::vector<std::string> VariablesFor(const std::string& folder) {
  std::vector<std::string> variables;
  for (char** at = environ; *at; ++at) {
    const std::string_view variable = *at;
    const bool is_kept = std::ranges::none_of(
        kDropped,
        [=](std::string_view name) { return variable.starts_with(name); });
    if (is_kept) variables.emplace_back(variable);
  }
  variables.push_back("TMPDIR=" + folder);
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
  int pages;
  int messages;
  int profile;
  pid_t parent;
  rlim_t memory;
};

void Limit(__rlimit_resource resource, rlim_t most) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= most) return;
  limit.rlim_cur = limit.rlim_max = most;
  ::setrlimit(resource, &limit);
}

// Connections of the program that another thread did not mark.
void CloseOthers([[maybe_unused]] int kept) {
#ifdef SYS_close_range
  constexpr unsigned kOnExec = 4;  // CLOSE_RANGE_CLOEXEC
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, kOnExec);
  ::fcntl(kept, F_SETFD, 0);
#endif
}

// In the child, where nothing may be allocated.
[[noreturn]] void Execute(const Child& child) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != child.parent) ::_exit(EXIT_FAILURE);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  Limit(RLIMIT_AS, child.memory);
  Limit(RLIMIT_CORE, 0);
  for (const int number : {SIGPIPE, SIGXFSZ}) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(child.document, STDIN_FILENO);
  ::dup2(child.pages, STDOUT_FILENO);
  ::dup2(child.messages, STDERR_FILENO);
  CloseOthers(child.profile);
  ::execve(child.program, child.words, child.environment);
  ::_exit(EXIT_FAILURE);
}

}  // namespace

bool HasGhostscript() { return !FindGhostscript().empty(); }

std::string FaultIn(std::string_view messages) {
  while (!messages.empty()) {
    const size_t end = std::min(messages.find('\n'), messages.size());
    const std::string_view line = messages.substr(0, end);
    messages.remove_prefix(std::min(end + 1, messages.size()));
    for (const std::string_view word :
         {"Error: ", "Unrecoverable error", "requires a password", "Unable to",
          "not located", "Can't find"}) {
      const size_t at = line.find(word);
      if (at == line.npos) continue;
      const size_t start =
          word == "Error: " ? at + word.size() : line.find_first_not_of(" *");
      return OneLine(line.substr(start));
    }
  }
  return "";
}

Result<std::unique_ptr<Ghostscript>> Ghostscript::Start(
    const DrawingOrder& order, PendingFiles& pending) {
  const std::string program = FindGhostscript();
  if (program.empty()) {
    return Unavailable(
        "PDF and PostScript need Ghostscript (gs), which is not installed; on "
        "Debian: apt install ghostscript");
  }
  const char* named = std::getenv("TMPDIR");
  HALFTONED_TRY_ASSIGN(
      TemporaryFolder made,
      TemporaryFolder::Make(named && *named ? named : "/tmp", "halftone-gs-"));
  auto folder = std::make_unique<Folder>(std::move(made), pending);
  HALFTONED_TRY_ASSIGN(Pipe pages, Pipe::Make());
  HALFTONED_TRY_ASSIGN(Pipe messages, Pipe::Make());
  HALFTONED_TRY_ASSIGN(const Descriptor profile, CmykProfileFile());
  std::vector<std::string> words = WordsOf(order, profile);
  std::vector<std::string> variables = VariablesFor(folder->path());
  const std::vector<char*> word_pointers = PointersTo(words);
  const std::vector<char*> variable_pointers = PointersTo(variables);
  const Child child{
      program.c_str(), word_pointers.data(), variable_pointers.data(),
      order.document,  pages.writing.get(),  messages.writing.get(),
      profile.get(),   ::getpid(),           MemoryLimit()};
  const pid_t process = ::fork();
  if (process < 0) return ErrnoError(ErrorCode::kIo, "cannot start a process");
  if (process == 0) Execute(child);
  // Here too, since the child may not have come to it when it is to end.
  ::setpgid(process, process);
  messages.writing.Close();
  std::unique_ptr<Ghostscript> started(
      new Ghostscript(process, std::move(folder), std::move(pages.reading),
                      std::move(messages.reading)));
  try {
    started->reader_ = std::thread([&self = *started] { self.ReadMessages(); });
  } catch (const std::system_error&) {
    return Unavailable("the system has no thread left");
  }
  return started;
}

Ghostscript::Ghostscript(pid_t process, std::unique_ptr<Folder> folder,
                         Descriptor pages, Descriptor messages)
    : folder_(std::move(folder)),
      pages_(std::move(pages)),
      messages_(std::move(messages)),
      process_(process) {}

Ghostscript::~Ghostscript() {
  Kill();
  if (reader_.joinable()) reader_.join();
  const std::lock_guard lock(mutex_);
  if (process_ == 0) return;
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// All of them, so that it never waits for a reader.
void Ghostscript::ReadMessages() {
  std::array<std::byte, 4096> room;
  for (;;) {
    const ssize_t bytes = ::read(messages_.get(), room.data(), room.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return;
    if (text_.size() >= kMostMessages) continue;
    try {
      text_.append(reinterpret_cast<const char*>(room.data()), size_t(bytes));
    } catch (const std::bad_alloc&) {
      // It will have said enough.
    }
  }
}

Result<void> Ghostscript::EndOf(int pages) {
  pollfd pipe{pages, POLLIN, 0};
  const bool has_no_more =
      ::poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLIN) == 0;
  if (has_no_more) return Finish();
  Kill();
  return {};
}

Result<void> Ghostscript::Finish() {
  if (process_ == 0) return {};
  if (reader_.joinable()) reader_.join();
  // Other threads may still want to end it: it must not be gone for them.
  siginfo_t ended{};
  while (::waitid(P_PID, id_t(process_), &ended, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  const std::lock_guard lock(mutex_);
  int status = 0;
  if (::waitpid(process_, &status, 0) < 0) {
    return ErrnoError(ErrorCode::kIo, "cannot wait for Ghostscript");
  }
  process_ = 0;
  const std::string fault = FaultIn(text_);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (!fault.empty())
    return BadInput("Ghostscript cannot draw it: " + Printable(fault));
  return IoError(WIFSIGNALED(status) ? "Ghostscript was ended by signal " +
                                           std::to_string(WTERMSIG(status))
                                     : "Ghostscript failed with status " +
                                           std::to_string(WEXITSTATUS(status)));
}

void Ghostscript::Kill() {
  const std::lock_guard lock(mutex_);
  if (process_ > 0) ::kill(-process_, SIGKILL);
}

}  // namespace halftoned
