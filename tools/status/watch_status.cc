// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "status/watch_status.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>

#include "base/descriptor.h"

namespace halftoned {
namespace {

size_t RowsOfTerminal() {
  winsize size{};
  const bool is_known =
      ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 1;
  return is_known ? size.ws_row : 24;
}

// The first lines, as many as fit. Longer lines are cut by the terminal, which
// is told not to wrap them while it gets them.
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

}  // namespace

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

}  // namespace halftoned
