// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the bodies of requests.

#include <algorithm>
#include <cerrno>
#include <vector>

#include "printer_app/front/client/client.h"

namespace halftoned {
namespace {

constexpr char kIncomplete[] =
    "the client disconnected or was silent for too long";

bool IsReceiving(http_t* http) {
  const http_state_t state = httpGetState(http);
  return state == HTTP_STATE_POST_RECV || state == HTTP_STATE_PUT_RECV;
}

}  // namespace

// libcups' decoder can have bytes that httpGetReady does not count.
Result<size_t> FrontClient::Read(char* room, size_t size) {
  const bool waits = IsReceiving(http_.get()) && !is_coded_ &&
                     httpGetRemaining(http_.get()) > 0 &&
                     httpGetReady(http_.get()) == 0;
  if (is_interrupted() || (waits && !AwaitBytes())) {
    return IoError("the request was interrupted");
  }
  return ReadBody(room, size);
}

Result<size_t> FrontClient::ReadBody(char* room, size_t size) {
  if (!IsReceiving(http_.get())) return size_t{0};
  if (chunks_) return ReadChunk(room, size);
  errno = 0;
  const ssize_t got = httpRead2(http_.get(), room, size);
  if (got > 0) return static_cast<size_t>(got);
  // The connection ended before the body.
  if (got < 0 || IsReceiving(http_.get()) || httpError(http_.get())) {
    return IoError(kIncomplete);
  }
  return size_t{0};
}

Result<size_t> FrontClient::ReadChunk(char* room, size_t size) {
  while (!chunks_->is_over()) {
    const uint64_t data = chunks_->data();
    const ssize_t got = httpRead2(
        http_.get(), room, data > 0 ? std::min<uint64_t>(size, data) : 1);
    if (got <= 0) return IoError(kIncomplete);
    if (data > 0) {
      chunks_->Pass(static_cast<uint64_t>(got));
      return static_cast<size_t>(got);
    }
    if (!chunks_->Take(*room)) return IoError("the client sent a bad chunk");
  }
  // Reads the last LF, after which libcups expects an answer.
  if (httpUpdate(http_.get()) != HTTP_STATUS_OK) return IoError(kIncomplete);
  return size_t{0};
}

Result<void> FrontClient::Drain() {
  StartAnswer();
  std::vector<char> room(16 << 10);
  while (true) {
    HALFTONED_TRY_ASSIGN(const size_t size, ReadBody(room.data(), room.size()));
    if (size == 0) return {};
    WaitForSilence();
  }
}

}  // namespace halftoned
