// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone status`: asks halftoned, and prints its answer unchanged.

#include <unistd.h>

#include <cstdio>
#include <span>
#include <string>

#include "ask_daemon.h"
#include "base/descriptor.h"
#include "commands.h"
#include "daemon_config.h"

namespace halftoned {
namespace {

constexpr int kPatienceMs = 10'000;

Result<std::string> SocketOf(const StatusOptions& options) {
  if (!options.socket.empty()) return options.socket;
  HALFTONED_TRY_ASSIGN(const DaemonConfig daemon, ReadDaemonConfig());
  return daemon.status_socket;
}

Result<void> Print(const StatusOptions& options) {
  HALFTONED_TRY_ASSIGN(const std::string path, SocketOf(options));
  HALFTONED_TRY_ASSIGN(const std::string answer,
                       AskDaemon(path, options.format, kPatienceMs));
  return WriteFully(STDOUT_FILENO, std::as_bytes(std::span(answer)));
}

}  // namespace

int RunStatus(const StatusOptions& options) {
  const Result<void> printed = Print(options);
  if (printed.ok()) return 0;
  std::fprintf(stderr, "halftone: %s\n", printed.error().message.c_str());
  return 1;
}

}  // namespace halftoned
