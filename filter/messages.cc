// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/messages.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace halftoned {
namespace {

bool Continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// Bytes of the printable character with which `text` begins; 0 if it begins
// with none. Controls, surrogates and forms that are too long are none.
size_t CharacterBytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (text.size() < bytes) return 0;
  if (!std::ranges::all_of(text.substr(1, bytes - 1), Continues)) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool wrong =
      (first == 0xc2 && second < 0xa0) || (first == 0xe0 && second < 0xa0) ||
      (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
      (first == 0xf4 && second > 0x8f);
  return wrong ? 0 : bytes;
}

// At most `most` bytes of it, in whole characters.
std::string Printable(std::string_view text, size_t most) {
  std::string printable;
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    if (printable.size() + std::max<size_t>(bytes, 1) > most) break;
    printable += bytes == 0 ? "?" : text.substr(0, bytes);
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return printable;
}

}  // namespace

// All filters of a job share the pipe, so that it must not be made
// non-blocking. Where poll finds room, a line fits.
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
  // One write, so that lines of two processes do not mix. There is nobody to
  // tell when it fails.
  static_assert(2 * kMaxText < PIPE_BUF);
  ssize_t put = -1;
  do {
    if (!WaitForRoom()) return;
    put = ::write(fd_, line.data(), line.size());
  } while (put < 0 && (errno == EINTR || errno == EAGAIN));
}

void Messages::Page(int64_t number, uint32_t copies) {
  // cupsd counts in an int and knows no more than 9999 copies.
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
