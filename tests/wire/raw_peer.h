// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One end of a connection, where a test sends anything it likes. Waits are
// bounded, so that no test hangs.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "wire/codec.h"

namespace halftoned::testing {

class RawPeer {
 public:
  struct Received {
    wire::Header header;
    wire::Bytes payload;
    wire::Bytes tail;
  };

  explicit RawPeer(Descriptor socket) : socket_(std::move(socket)) {}

  int fd() const { return socket_.get(); }
  void Close() { socket_.Close(); }
  Descriptor Release() { return std::move(socket_); }

  // Sends all bytes, with `fds` attached to the first; false if the other end
  // has stopped reading.
  bool Send(wire::View bytes, std::span<const int> fds = {});
  // A frame with the right sequence number.
  wire::Bytes Frame(wire::FrameType type, uint32_t page, wire::View payload,
                    wire::View tail = {});
  bool SendFrame(wire::FrameType type, uint32_t page, wire::View payload,
                 wire::View tail = {}, std::span<const int> fds = {}) {
    return Send(Frame(type, page, payload, tail), fds);
  }

  // The next frame with its tail; none if the other end has closed.
  std::optional<Received> Receive();
  // Fills `room`; false if that many bytes do not arrive.
  bool ReceiveBytes(std::span<std::byte> room);
  // The text of the next Failed, whatever precedes it; empty if the other end
  // closes without one.
  std::string ReceiveFailure();

  uint32_t next_sent = 0;  // the sequence of the next frame

 private:
  Descriptor socket_;
};

// Waits for `events`, or ends the whole test program after half a minute.
void WaitFor(int fd, short events);

}  // namespace halftoned::testing
