// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wire/link.h"

#include <sys/socket.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/unix_socket.h"

namespace halftoned::wire {

void Link::Send(FrameType type, uint32_t page, View payload, View tail,
                std::vector<Descriptor> descriptors) {
  unsent_.push_back({EncodeFrame(type, next_sent_++, page, payload,
                                 static_cast<uint32_t>(tail.size())),
                     tail, std::move(descriptors)});
}

void Link::SendRaw(View bytes) {
  unsent_.push_back({Bytes(bytes.begin(), bytes.end()), {}, {}});
}

Result<void> Link::Flush() {
  while (!unsent_.empty()) {
    Unsent& first = unsent_.front();
    const size_t head = first.head.size();
    const View part = sent_ < head ? View(first.head).subspan(sent_)
                                   : first.tail.subspan(sent_ - head);
    std::vector<int> fds;
    for (const Descriptor& each : first.descriptors) fds.push_back(each.get());
    HALFTONED_TRY_ASSIGN(const size_t taken,
                         SendSome(socket_.get(), part, fds));
    if (taken == 0) return {};
    first.descriptors.clear();
    sent_ += taken;
    if (sent_ == head + first.tail.size()) {
      unsent_.pop_front();
      sent_ = 0;
    }
  }
  return {};
}

Result<bool> Link::Fill(std::span<std::byte> room, size_t& done) {
  if (done == room.size()) return true;
  HALFTONED_TRY_ASSIGN(
      const Received received,
      ReceiveSome(socket_.get(), room.subspan(done), descriptors_));
  if (received.ended) {
    has_ended_ = true;
    return Unavailable("the connection has ended");
  }
  // Excess descriptors would stay open until the frame is complete.
  if (descriptors_.size() > kMaxPassedDescriptors) {
    return BadInput("too many descriptors");
  }
  if (received.bytes > 0 && !owed_since_) owed_since_ = Clock::now();
  done += received.bytes;
  return done == room.size();
}

void Link::Discard() {
  ::shutdown(socket_.get(), SHUT_RD);
  std::array<std::byte, size_t{64} << 10> nowhere;
  for (;;) {
    const auto received = ReceiveSome(socket_.get(), nowhere, descriptors_);
    if (!received.ok() || received->bytes == 0) break;
  }
  CloseFiles(std::exchange(descriptors_, {}));
  socket_.Close();
}

size_t Link::queued_bytes() const {
  size_t bytes = payload_.capacity();
  for (const Unsent& frame : unsent_) bytes += frame.head.capacity();
  return bytes;
}

Result<std::optional<Link::Frame>> Link::Receive() {
  if (tail_done_ < tail_bytes_) return Bug("a tail has not been received");
  HALFTONED_TRY_ASSIGN(const bool has_header,
                       Fill(header_bytes_, header_done_));
  if (!has_header) return std::optional<Frame>();
  if (!header_) {
    HALFTONED_TRY_ASSIGN(header_, DecodeHeader(header_bytes_));
    if (header_->sequence != next_received_) {
      return BadInput("frame " + std::to_string(header_->sequence) +
                      " arrived instead of " + std::to_string(next_received_));
    }
    payload_done_ = 0;
  }
  // The payload grows as it arrives: an announcement alone takes no memory.
  constexpr size_t kPiece = size_t{64} << 10;
  while (payload_done_ < header_->length) {
    payload_.resize(std::min<size_t>(header_->length, payload_done_ + kPiece));
    HALFTONED_TRY_ASSIGN(const bool is_full, Fill(payload_, payload_done_));
    if (!is_full) return std::optional<Frame>();
  }
  return CompleteFrame();
}

Result<std::optional<Link::Frame>> Link::CompleteFrame() {
  HALFTONED_TRY(CheckPayload(*header_, payload_));
  Frame frame{*header_, std::move(payload_), std::move(descriptors_)};
  ++next_received_;
  header_done_ = 0;
  header_.reset();
  payload_.clear();
  descriptors_.clear();
  tail_bytes_ = frame.header.tail;
  tail_done_ = 0;
  if (tail_bytes_ == 0) owed_since_.reset();
  return std::optional<Frame>(std::move(frame));
}

Result<bool> Link::ReceiveTail(std::span<std::byte> room) {
  if (!room.empty()) {
    if (room.size() != tail_bytes_) return Bug("no room for a tail");
    HALFTONED_TRY(Fill(room, tail_done_));
  } else if (tail_done_ < tail_bytes_) {
    std::array<std::byte, size_t{64} << 10> nowhere;
    size_t done = 0;
    HALFTONED_TRY(Fill(std::span(nowhere).first(
                           std::min(nowhere.size(), tail_bytes_ - tail_done_)),
                       done));
    tail_done_ += done;
  }
  if (tail_done_ < tail_bytes_) return false;
  owed_since_.reset();
  return true;
}

}  // namespace halftoned::wire
