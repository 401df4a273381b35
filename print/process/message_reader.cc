// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/message_reader.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

namespace halftoned {

Result<std::unique_ptr<MessageReader>> MessageReader::Start(MessageLog log) {
  HALFTONED_TRY_ASSIGN(Pipe pipe, Pipe::Make());
  HALFTONED_TRY_ASSIGN(Stop end, Stop::Make());
  std::unique_ptr<MessageReader> reader(
      new MessageReader(std::move(pipe), std::move(end), std::move(log)));
  try {
    reader->thread_ = std::thread([&self = *reader] { self.Read(); });
  } catch (const std::system_error&) {
    return Unavailable("the system has no threads left");
  }
  return reader;
}

const std::string& MessageReader::Text() {
  pipe_.writing.Close();
  if (thread_.joinable()) thread_.join();
  return text_;
}

void MessageReader::End() {
  end_.Request();
  Text();
}

void MessageReader::Read() {
  std::array<char, 4096> room;
  // After End: what the pipe can hold, because another process may still write.
  size_t left = size_t{64} << 10;
  while (left > 0) {
    pollfd waits[] = {{pipe_.reading.get(), POLLIN, 0}, {end_.fd(), POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0) continue;
    if (waits[0].revents == 0) break;
    const ssize_t bytes = ::read(pipe_.reading.get(), room.data(), room.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) break;
    if (waits[1].revents != 0) left -= std::min<size_t>(left, bytes);
    Keep({room.data(), static_cast<size_t>(bytes)});
  }
  if (!line_.empty()) Log("\n");
}

void MessageReader::Keep(std::string_view text) {
  constexpr size_t kMostText = size_t{64} << 10;  // only the first lines matter
  try {
    text_ += text.substr(0, kMostText - text_.size());
  } catch (const std::bad_alloc&) {
    // The messages so far suffice.
  }
  Log(text);
}

void MessageReader::Log(std::string_view text) try {
  constexpr size_t kMostLine = 2048;
  if (!log_) return;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    line_ += text.substr(0, std::min(end, kMostLine - line_.size()));
    if (end == text.size()) return;
    log_(line_);
    line_.clear();
    text.remove_prefix(end + 1);
  }
} catch (const std::bad_alloc&) {
  // The messages so far suffice.
}

}  // namespace halftoned
