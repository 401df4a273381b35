// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a raster: read directly if they are many, and through a buffer
// for headers, single rows and packed rows. Does not know what they mean.

#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "print/process/polled_io.h"

namespace halftoned {

class RasterBytes {
 public:
  // `input` outlives it.
  explicit RasterBytes(PolledInput& input) : input_(input) {}

  // Fills `room`, and returns the number of bytes: fewer if the input ends
  // first, or cannot be read.
  size_t Fill(std::span<std::byte> room);

  // The same for a few bytes: all or nothing.
  bool Take(std::byte* to, size_t bytes) {
    if (end_ - next_ < bytes) return TakeSlowly(to, bytes);
    std::memcpy(to, &buffer_[next_], bytes);
    next_ += bytes;
    return true;
  }

  // Whether the last byte has been read.
  bool ended() const { return ended_ && next_ == end_; }
  const std::optional<Error>& error() const { return error_; }

  // Why there were too few bytes.
  Error WhyShort() const {
    return error_ ? *error_ : BadInput("the raster is truncated");
  }

 private:
  static constexpr size_t kBufferBytes = size_t{64} << 10;

  size_t ReadSome(std::span<std::byte> room);
  size_t ReadPast(std::span<std::byte> room);
  // Fills the buffer, which is empty, with what is available.
  void Refill();
  bool TakeSlowly(std::byte* to, size_t bytes);

  PolledInput& input_;
  bool ended_ = false;
  std::optional<Error> error_;
  std::vector<std::byte> buffer_;
  size_t next_ = 0;  // buffer_[next_ … end_) is still to be given
  size_t end_ = 0;
};

}  // namespace halftoned
