// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/messages.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "base/text.h"

namespace halftoned {

// All filters of a job share the pipe, so it must stay blocking. If poll finds
// room, a line fits.
bool Messages::WaitForRoom() const {
  for (;;) {
    const bool stopping = stop_ && stop_->requested();
    pollfd waits[] = {{fd_, POLLOUT, 0}, {stop_ ? stop_->fd() : -1, POLLIN, 0}};
    if (::poll(waits, 2, stopping ? 0 : -1) < 0 && errno != EINTR) return false;
    if (waits[0].revents != 0) return true;
    if (stopping) return false;
  }
}

void Messages::Say(std::string_view severity, std::string_view text) {
  constexpr size_t kMaxText = 512;  // bytes; cupsd takes lines of 2,048
  std::string line = std::string(severity) + ": ";
  line += Printable(text, kMaxText);
  line += '\n';
  // One write, so that lines of two processes do not mix. A failure cannot be
  // reported anywhere.
  static_assert(2 * kMaxText < PIPE_BUF);
  ssize_t put = -1;
  do {
    if (!WaitForRoom()) return;
    put = ::write(fd_, line.data(), line.size());
  } while (put < 0 && (errno == EINTR || errno == EAGAIN));
}

void Messages::Page(int64_t number, uint32_t copies) {
  // cupsd counts in an int and accepts at most 9999 copies.
  Say("PAGE", std::to_string(number) + " " +
                  std::to_string(std::clamp<uint32_t>(copies, 1, 9999)));
}

void Messages::Progress(int percent) {
  Say("ATTR", "job-media-progress=" + std::to_string(percent));
}

void Messages::Reason(std::string_view keyword, bool holds) {
  Say("STATE", std::string(holds ? "+" : "-").append(keyword));
}

}  // namespace halftoned
