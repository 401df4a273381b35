// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone status`: asks halftoned, and prints its answer unchanged: once,
// again and again, or to an HTTP client.

#include <limits.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "commands.h"
#include "status/answer_http.h"
#include "status/ask_daemon.h"
#include "status/daemon_config.h"
#include "status/watch_status.h"

namespace halftoned {
namespace {

constexpr int kPatienceMs = 10'000;

Result<std::string> SocketOf(const StatusOptions& options) {
  if (!options.socket.empty()) return options.socket;
  HALFTONED_TRY_ASSIGN(const DaemonConfig daemon, ReadDaemonConfig());
  return daemon.status_socket;
}

// The names of this machine in requests.
std::vector<std::string> NamesOf(const StatusOptions& options) {
  std::vector<std::string> names = options.http_names;
  std::array<char, HOST_NAME_MAX + 1> own{};
  if (::gethostname(own.data(), own.size() - 1) == 0) {
    names.emplace_back(own.data());
  }
  return names;
}

Result<void> Print(const StatusOptions& options) {
  HALFTONED_TRY_ASSIGN(const std::string path, SocketOf(options));
  const auto ask = [&](const std::string& format) {
    return AskDaemon(path, format, kPatienceMs);
  };
  if (options.http) {
    return AnswerHttp(STDIN_FILENO, STDOUT_FILENO, NamesOf(options),
                      [ask] { return ask("metrics"); });
  }
  if (options.watch_seconds > 0) {
    return WatchStatus(options.watch_seconds,
                       [&] { return ask(options.format); });
  }
  HALFTONED_TRY_ASSIGN(const std::string answer, ask(options.format));
  return WriteFully(STDOUT_FILENO, std::as_bytes(std::span(answer)));
}

}  // namespace

int RunStatus(const StatusOptions& options) {
  const Result<void> printed = Print(options);
  if (printed.ok()) return 0;
  // The check looks at the configured socket.
  const bool is_unreached =
      options.socket.empty() && printed.error().code == ErrorCode::kUnavailable;
  std::fprintf(stderr, "halftone: %s%s\n", printed.error().message.c_str(),
               is_unreached ? "; halftone check says why" : "");
  return 1;
}

}  // namespace halftoned
