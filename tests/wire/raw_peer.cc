// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/wire/raw_peer.h"

#include <poll.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/unix_socket.h"

namespace halftoned::testing {

using wire::Bytes;
using wire::View;

void WaitFor(int fd, short events) {
  pollfd wait{fd, events, 0};
  int changed;
  do {
    changed = ::poll(&wait, 1, 30'000);
  } while (changed < 0 && errno == EINTR);
  if (changed == 1) return;
  std::fputs("nothing happens any more\n", stderr);
  std::abort();
}

bool RawPeer::Send(View bytes, std::span<const int> fds) {
  while (!bytes.empty()) {
    const auto sent = SendSome(fd(), bytes, fds);
    if (!sent.ok()) return false;
    if (*sent == 0) {
      WaitFor(fd(), POLLOUT);
      continue;
    }
    bytes = bytes.subspan(*sent);
    fds = {};
  }
  return true;
}

Bytes RawPeer::Frame(wire::FrameType type, uint32_t page, View payload,
                     View tail) {
  Bytes frame = wire::EncodeFrame(type, next_sent++, page, payload,
                                  static_cast<uint32_t>(tail.size()));
  frame.insert(frame.end(), tail.begin(), tail.end());
  return frame;
}

bool RawPeer::ReceiveBytes(std::span<std::byte> room) {
  std::vector<Descriptor> fds;
  while (!room.empty()) {
    WaitFor(fd(), POLLIN);
    const auto received = ReceiveSome(fd(), room, fds);
    if (!received.ok() || received->ended) return false;
    room = room.subspan(received->bytes);
  }
  return true;
}

std::optional<RawPeer::Received> RawPeer::Receive() {
  std::array<std::byte, wire::kHeaderBytes> bytes;
  if (!ReceiveBytes(bytes)) return std::nullopt;
  const auto header = wire::DecodeHeader(bytes);
  if (!header.ok()) return std::nullopt;
  Received frame{*header, Bytes(header->length), Bytes(header->tail)};
  if (!ReceiveBytes(frame.payload) || !ReceiveBytes(frame.tail)) {
    return std::nullopt;
  }
  return frame;
}

std::string RawPeer::ReceiveFailure() {
  while (const auto frame = Receive()) {
    if (frame->header.type != wire::FrameType::kFailed) continue;
    const auto failed = wire::DecodeFailed(frame->payload);
    return failed.ok() ? failed->message : "";
  }
  return "";
}

}  // namespace halftoned::testing
