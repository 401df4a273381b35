// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/run_program.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "print/process/pipe.h"

namespace halftoned {
namespace {

constexpr size_t kMostBytes = size_t{1} << 20;

// Starts the program as the leader of a process group.
Result<pid_t> Start(const std::vector<std::string>& words, int in, int out,
                    int errors) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, words.front().c_str(), &actions,
                                   &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error == 0) return pid;
  return Unavailable(words.front() + ": " + std::strerror(error));
}

// Reads available bytes. False at the end.
bool ReadSome(int fd, std::string& text) {
  std::array<char, 4096> room;
  const ssize_t bytes = ::read(fd, room.data(), room.size());
  if (bytes < 0 && errno == EINTR) return true;
  if (bytes <= 0) return false;
  if (text.size() < kMostBytes) text.append(room.data(), size_t(bytes));
  return true;
}

// Reads both outputs to their ends. False if there was no output for too long.
bool ReadAll(int out, int errors, int silent_seconds, Outcome& outcome) {
  std::array<pollfd, 2> fds{{{out, POLLIN, 0}, {errors, POLLIN, 0}}};
  std::array<std::string*, 2> texts{&outcome.out, &outcome.errors};
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    const int ready = ::poll(fds.data(), fds.size(), silent_seconds * 1000);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    for (size_t i = 0; i < fds.size(); ++i) {
      if (fds[i].revents != 0 && !ReadSome(fds[i].fd, *texts[i])) {
        fds[i].fd = -1;
      }
    }
  }
  return true;
}

}  // namespace

Result<Outcome> RunProgram(const std::vector<std::string>& words,
                           int silent_seconds) {
  // A pipe without a writer gives an empty input.
  HALFTONED_TRY_ASSIGN(Pipe in, Pipe::Make());
  in.writing.Close();
  HALFTONED_TRY_ASSIGN(Pipe out, Pipe::Make());
  HALFTONED_TRY_ASSIGN(Pipe errors, Pipe::Make());
  HALFTONED_TRY_ASSIGN(
      const pid_t pid,
      Start(words, in.reading.get(), out.writing.get(), errors.writing.get()));
  out.writing.Close();
  errors.writing.Close();
  Outcome outcome;
  outcome.is_late = !ReadAll(out.reading.get(), errors.reading.get(),
                             silent_seconds, outcome);
  if (outcome.is_late) ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  return outcome;
}

}  // namespace halftoned
