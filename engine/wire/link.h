// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream socket as a sequence of frames each way, without ever waiting for
// it. Both ends use it; what frames mean is theirs to know.
//
// Errors: kUnavailable if the other end is gone, kBadInput if what it sends is
// no frame, or not the next one. Then the link is of no more use.

#ifndef HALFTONED_WIRE_LINK_H_
#define HALFTONED_WIRE_LINK_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "wire/codec.h"

namespace halftoned::wire {

// What an error says where the other end has simply closed the connection.
inline constexpr std::string_view kEnded = "the connection has ended";

class Link {
 public:
  using Clock = std::chrono::steady_clock;

  // A frame but for its tail.
  struct Frame {
    Header header;
    Bytes payload;
    std::vector<Descriptor> descriptors;
  };

  explicit Link(Descriptor socket) : socket_(std::move(socket)) {}

  int fd() const { return socket_.get(); }
  void Close() { socket_.Close(); }

  // Puts a frame in the queue, behind which `tail` lies in memory that stays as
  // it is until all is sent. `descriptors` stay open until then.
  void Send(FrameType type, uint32_t page, View payload, View tail = {},
            std::vector<Descriptor> descriptors = {});
  // Bytes that are no frame: a hello.
  void SendRaw(View bytes);
  // Sends what the socket takes now.
  Result<void> Flush();
  bool has_unsent() const { return !unsent_.empty(); }

  // The next frame, if it is there. One with a tail wants ReceiveTail, until
  // that is done, before the next Receive.
  Result<std::optional<Frame>> Receive();
  // Receives the tail: into `room`, of just that many bytes and the same each
  // time, or with an empty room to nowhere. True when it is done.
  Result<bool> ReceiveTail(std::span<std::byte> room);

  // Frames, not counting their tails.
  uint32_t received() const { return next_received_; }

  // Since when a frame has been under way of which a part has not come: what
  // the other end owes.
  std::optional<Clock::time_point> owed_since() const { return owed_since_; }
  // For a time in which this end did not look.
  void Forgive(Clock::duration time) {
    if (owed_since_) *owed_since_ += time;
  }

 private:
  struct Unsent {
    Bytes head;
    View tail;
    std::vector<Descriptor> descriptors;
  };

  // Fills `room` from `done` on; true when it is full.
  Result<bool> Fill(std::span<std::byte> room, size_t& done);
  Result<std::optional<Frame>> CompleteFrame();

  Descriptor socket_;

  std::deque<Unsent> unsent_;
  size_t sent_ = 0;  // of the first
  uint32_t next_sent_ = 0;

  std::array<std::byte, kHeaderBytes> header_bytes_;
  size_t header_done_ = 0;
  std::optional<Header> header_;
  Bytes payload_;
  size_t payload_done_ = 0;
  size_t tail_bytes_ = 0;
  size_t tail_done_ = 0;
  std::vector<Descriptor> descriptors_;
  uint32_t next_received_ = 0;
  std::optional<Clock::time_point> owed_since_;
};

}  // namespace halftoned::wire

#endif  // HALFTONED_WIRE_LINK_H_
