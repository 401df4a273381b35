// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One end of a connection in the hands of a test, which says there what it
// likes. It waits, but never so long that a test would hang.

#ifndef HALFTONED_TESTS_WIRE_RAW_PEER_H_
#define HALFTONED_TESTS_WIRE_RAW_PEER_H_

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

  // Sends all of it, `fds` beside the first byte; false if the other end takes
  // no more.
  bool Send(wire::View bytes, std::span<const int> fds = {});
  // A frame of the right sequence.
  wire::Bytes Frame(wire::FrameType type, uint32_t page, wire::View payload,
                    wire::View tail = {});
  bool SendFrame(wire::FrameType type, uint32_t page, wire::View payload,
                 wire::View tail = {}, std::span<const int> fds = {}) {
    return Send(Frame(type, page, payload, tail), fds);
  }

  // The next frame with its tail; none if the other end has closed.
  std::optional<Received> Receive();
  // Exactly so many bytes; false if they do not come.
  bool ReceiveBytes(std::span<std::byte> room);
  // What the next Failed says, whatever comes before it; empty if the other
  // end closes without one.
  std::string ReceiveFailure();

  uint32_t next_sent = 0;  // the sequence of the next frame

 private:
  Descriptor socket_;
};

// Waits for `events`, or ends the whole test program after half a minute.
void WaitFor(int fd, short events);

}  // namespace halftoned::testing

#endif  // HALFTONED_TESTS_WIRE_RAW_PEER_H_
