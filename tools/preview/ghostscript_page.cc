// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preview/ghostscript_page.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "check/places.h"
#include "halftone/look/cmyk_profile.h"

namespace halftoned {
namespace {

// The number of the profile's descriptor in the process.
constexpr int kProfile = 3;

Result<Descriptor> MemoryWith(std::string_view bytes) {
  Descriptor file(::memfd_create("halftone", MFD_CLOEXEC));
  if (!file.open()) {
    return ErrnoError(ErrorCode::kIo, "cannot create a file in memory");
  }
  HALFTONED_TRY(WriteFully(file.get(), std::as_bytes(std::span(bytes))));
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

std::vector<std::string> WordsOf(const GhostscriptOrder& order) {
  char resolution[64];
  std::snprintf(resolution, sizeof(resolution), "-r%gx%g",
                order.dots_per_inch_across, order.dots_per_inch_down);
  const std::string page = std::to_string(order.page);
  const std::string profile = "/proc/self/fd/" + std::to_string(kProfile);
  // An absolute name is neither an option nor a device of Ghostscript.
  return {"gs",
          "-q",
          "-dSAFER",
          "-dBATCH",
          "-dNOPAUSE",
          "-dNOPROMPT",
          "-sDEVICE=pgmraw",
          resolution,
          "-dFirstPage=" + page,
          "-dLastPage=" + page,
          "--permit-file-read=" + profile,
          "-sDefaultCMYKProfile=" + profile,
          "-sstdout=%stderr",
          "-sOutputFile=-",
          "-f",
          std::filesystem::absolute(order.file).string()};
}

struct Files {
  int pixels;
  int messages;
  int profile;
};

Result<pid_t> Spawn(std::vector<std::string> words, const Files& files) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, files.pixels, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, files.messages, STDERR_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, files.profile, kProfile);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  ::sigaddset(&usual, SIGPIPE);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int error = ::posix_spawnp(&process, words.front().c_str(), &actions,
                                   &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error == 0) return process;
  if (error == ENOENT) {
    return Unavailable("is PDF or PostScript, which needs Ghostscript; " +
                       HowToInstall("ghostscript"));
  }
  return Unavailable(std::string("cannot start Ghostscript: ") +
                     std::strerror(error));
}

// Above all that Spawn gives the process.
Descriptor Higher(const Descriptor& low) {
  return Descriptor(::fcntl(low.get(), F_DUPFD_CLOEXEC, kProfile + 1));
}

}  // namespace

bool IsForGhostscript(std::span<const std::byte> beginning) {
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()),
                              beginning.size());
  return text.starts_with("%PDF-") || text.starts_with("%!");
}

Result<GhostscriptPage> GhostscriptPage::Start(const GhostscriptOrder& order) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot make a pipe");
  }
  Descriptor pixels(ends[0]);
  const Descriptor written(ends[1]);
  HALFTONED_TRY_ASSIGN(const Descriptor profile, MemoryWith(CmykProfile()));
  HALFTONED_TRY_ASSIGN(Descriptor messages, MemoryWith(""));
  const Descriptor to_pixels = Higher(written);
  const Descriptor to_messages = Higher(messages);
  const Descriptor to_profile = Higher(profile);
  HALFTONED_TRY_ASSIGN(
      const pid_t process,
      Spawn(WordsOf(order),
            {to_pixels.get(), to_messages.get(), to_profile.get()}));
  return GhostscriptPage(process, std::move(pixels), std::move(messages));
}

GhostscriptPage::~GhostscriptPage() {
  if (process_ == 0) return;
  ::kill(process_, SIGKILL);
  Finish();
}

std::string GhostscriptPage::Finish() {
  pixels_.Close();
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  std::array<char, 4096> room;
  const ssize_t bytes = ::pread(messages_.get(), room.data(), room.size(), 0);
  const std::string_view said(room.data(),
                              static_cast<size_t>(std::max<ssize_t>(bytes, 0)));
  const size_t begin = said.find_first_not_of(" *\t\n");
  if (begin == said.npos) return "";
  return OneLine(said.substr(begin, said.find('\n', begin) - begin));
}

}  // namespace halftoned
