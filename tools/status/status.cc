// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone status`: asks halftoned, and prints its answer unchanged: once,
// repeatedly, or to an HTTP client.

#include <limits.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "commands.h"
#include "status/answer_http.h"
#include "status/ask_daemon.h"

namespace halftoned {
namespace {

size_t RowsOfTerminal() {
  winsize size{};
  const bool is_known =
      ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 1;
  return is_known ? size.ws_row : 24;
}

// The first lines, as many as fit. The terminal truncates long lines, because
// wrapping is turned off meanwhile.
std::string Painting(const std::string& text) {
  const size_t rows = RowsOfTerminal() - 1;
  std::string painting = "\033[?7l\033[H";
  size_t begin = 0;
  for (size_t row = 0; row < rows && begin < text.size(); ++row) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    painting += text.substr(begin, end - begin) + "\033[K\n";
    begin = end + 1;
  }
  return painting + "\033[J\033[?7h";
}

// `halftone status --watch`: calls `ask` every `seconds` seconds, and prints
// its answer or error; on a terminal, in place of the previous one. Returns
// when writing fails. Signals may end it, because nothing needs restoring.
Result<void> WatchStatus(int seconds,
                         const std::function<Result<std::string>()>& ask) {
  const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
  for (;;) {
    const Result<std::string> said = ask();
    const std::string text =
        said.ok() ? *said : "halftone: " + said.error().message + "\n";
    const std::string shown = is_terminal ? Painting(text) : text;
    HALFTONED_TRY(WriteFully(STDOUT_FILENO, std::as_bytes(std::span(shown))));
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
  }
}

constexpr int kPatienceMs = 10'000;

Result<std::string> SocketOf(const StatusOptions& options) {
  if (!options.socket.empty()) return options.socket;
  HALFTONED_TRY_ASSIGN(const DaemonConfig daemon, ReadDaemonConfig());
  return daemon.status_socket;
}

// This machine's names in requests.
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

int RunCommand(const StatusOptions& options) {
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
