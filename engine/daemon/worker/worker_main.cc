// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/worker_main.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include "base/descriptor.h"
#include "daemon/confine/users.h"

namespace halftoned::daemon {
namespace {

Result<void> ParseAndRun(std::span<char* const> arguments, Role role,
                         RunWorker run) {
  HALFTONED_TRY_ASSIGN(const WorkerOptions options, ParseOptions(arguments));
  if (options.uid) {
    HALFTONED_TRY(BecomeWorker({*options.uid, options.gid}));
  }
  // The supervisor logs what its kernel does not offer; the worker need not.
  if (options.is_confined) (void)Confine({.role = role});
  // kControlFd stays open for the last message.
  return run(options, Control(Descriptor(::dup(kControlFd))));
}

// Returns why the worker failed, or nothing.
std::optional<std::string> Run(std::span<char* const> arguments, Role role,
                               RunWorker run) {
  try {
    const Result<void> result = ParseAndRun(arguments, role, run);
    if (result.ok()) return std::nullopt;
    return result.error().message;
  } catch (const std::exception& exception) {
    return exception.what();
  }
}

}  // namespace

int WorkerMain(int argc, char* argv[], const char* name, Role role,
               RunWorker run, std::string (*details)()) {
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    std::printf("%s %s\n", name, HALFTONED_VERSION);
    if (details) std::printf("%s\n", details().c_str());
    return FlushStandardOutput().ok() ? 0 : 1;
  }
  // The supervisor decides when to exit; a terminal's signals are only for it.
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    ::signal(number, SIG_IGN);
  }
  auto why =
      Run(std::span<char* const>(argv, static_cast<size_t>(argc)).subspan(1),
          role, run);
  if (!why) return 0;
  SayLastWords(name, {Dying::Cause::kFault, std::move(*why)});
  return 1;
}

void EndWithSupervisor(const char* name, std::chrono::seconds patience) {
  // Runs until the process exits.
  std::thread([name, patience] {
    pollfd channel{kControlFd, 0, 0};  // POLLHUP is always reported
    while (::poll(&channel, 1, -1) < 0 && errno == EINTR) {
    }
    std::this_thread::sleep_for(patience);
    SayLastWords(name, {Dying::Cause::kFault,
                        "it could not exit after its supervisor ended"});
    ::_exit(1);
  }).detach();
}

void SayLastWords(const char* name, const Dying& dying) {
  // The supervisor writes the log; without it, standard error is used.
  if (!Control::SendLast(kControlFd, dying).ok()) {
    std::fprintf(stderr, "halftoned: error: %s: %s\n", name,
                 dying.reason.c_str());
  }
}

}  // namespace halftoned::daemon
