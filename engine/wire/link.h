// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream socket as a sequence of frames in each direction. Nothing blocks.
// Both ends use it; the meaning of frames is the caller's.
//
// Errors: kUnavailable if the other end is gone, kBadInput if it sends anything
// but the next frame. After an error the link is unusable.

#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "wire/codec.h"

namespace halftoned::wire {

class Link {
 public:
  using Clock = std::chrono::steady_clock;

  // A frame without its tail.
  struct Frame {
    Header header;
    Bytes payload;
    std::vector<Descriptor> descriptors;
  };

  explicit Link(Descriptor socket) : socket_(std::move(socket)) {}

  int fd() const { return socket_.get(); }
  void Close() { socket_.Close(); }
  // Closes a connection whose other end may have passed any descriptors; waits
  // for none of them.
  void Discard();

  // Queues a frame, followed by `tail`, whose memory must stay unchanged until
  // all is sent. `descriptors` stay open until then.
  void Send(FrameType type, uint32_t page, View payload, View tail = {},
            std::vector<Descriptor> descriptors = {});
  // Queues bytes that are not a frame: a hello.
  void SendRaw(View bytes);
  // Sends as much as the socket takes now.
  Result<void> Flush();
  bool has_unsent() const { return !unsent_.empty(); }

  // The next frame, if it has arrived. After a frame with a tail, call
  // ReceiveTail until it is done before the next Receive.
  Result<std::optional<Frame>> Receive();
  // Receives the tail into `room`, which has exactly its size and is the same
  // for each call, or discards it if `room` is empty. True when it is done.
  Result<bool> ReceiveTail(std::span<std::byte> room);

  // The other end has closed the connection, so nothing more can be
  // received. That is how every connection ends.
  bool has_ended() const { return has_ended_; }

  // Bytes of memory that parts of frames take, received or not sent yet.
  size_t queued_bytes() const;

  // Frames, not counting their tails.
  uint32_t received() const { return next_received_; }

  // Since when a frame has been incomplete; the other end must send the rest.
  std::optional<Clock::time_point> owed_since() const { return owed_since_; }
  // Excludes a time in which this end did not read.
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
  size_t sent_ = 0;  // bytes of the first unsent frame
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
  bool has_ended_ = false;
  std::optional<Clock::time_point> owed_since_;
};

}  // namespace halftoned::wire
