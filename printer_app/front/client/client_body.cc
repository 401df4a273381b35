// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the bodies of requests.

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
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

bool FrontClient::has_more() const { return IsReceiving(http_.get()); }

// After some ends of TLS, libcups 2.4 asks whether to go on, and tries again
// without waiting.
bool FrontClient::GoesOn() {
  constexpr int kMostInASecond = 1000;  // it asks some 30 times if it waits
  const auto now = Clock::now();
  if (now - asked_since_ >= std::chrono::seconds(1)) {
    asked_since_ = now;
    asked_ = 0;
  }
  return ++asked_ <= kMostInASecond && !IsOverdue(now);
}

void FrontClient::WaitInLibcups() {
  constexpr double kForEver = 1e6;  // libcups ignores a timeout of 0
  httpSetTimeout(
      http_.get(), kForEver,
      [](http_t* /*http*/, void* client) -> int {
        return static_cast<FrontClient*>(client)->GoesOn();
      },
      this);
}

// libcups waits in several places: for a chunk, and for more compressed data.
FrontClient::Look::Look(FrontClient& client)
    : client_(client), is_first_(!client.looks_) {
  constexpr double kLookSeconds = 0.1;
  if (!is_first_) return;
  client_.looks_ = true;
  httpSetTimeout(
      client_.http_.get(), kLookSeconds,
      [](http_t* /*http*/, void* given) -> int {
        auto* waiting = static_cast<FrontClient*>(given);
        return !waiting->is_interrupted() && waiting->GoesOn();
      },
      &client_);
}

FrontClient::Look::~Look() {
  if (!is_first_) return;
  client_.looks_ = false;
  client_.WaitInLibcups();
}

Result<size_t> FrontClient::Read(char* room, size_t size) {
  if (is_interrupted()) return IoError("the request was interrupted");
  const Look look(*this);
  Result<size_t> got = ReadBody(room, size);
  TakeMore();
  return got;
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
  // A few bytes can decode to very many.
  constexpr size_t kMostDecoded = size_t{16} << 20;
  if (!has_more()) return {};
  WaitForMore();
  std::vector<char> room(16 << 10);
  for (size_t read = 0; !is_coded_ || read < kMostDecoded;) {
    HALFTONED_TRY_ASSIGN(const size_t size, ReadBody(room.data(), room.size()));
    if (size == 0) return {};
    read += size;
    WaitForSilence();
    TakeMore();
  }
  keeps_alive_ = false;
  return {};
}

// If the connection closed with bytes that were not read, the client could lose
// the answer.
void FrontClient::Linger() {
  constexpr std::chrono::seconds kMost{5};
  WaitForMore();
  const int connection = httpGetFd(http_.get());
  shutdown(connection, SHUT_WR);
  std::vector<char> room(16 << 10);
  const auto end = Clock::now() + kMost;
  for (auto now = Clock::now(); now < end; now = Clock::now()) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - now).count();
    pollfd wait = {connection, POLLIN, 0};
    if (poll(&wait, 1, static_cast<int>(left)) <= 0 ||
        recv(connection, room.data(), room.size(), 0) <= 0) {
      return;
    }
  }
}

}  // namespace halftoned
