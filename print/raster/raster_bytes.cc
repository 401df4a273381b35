// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/raster_bytes.h"

#include <algorithm>

namespace halftoned {

// Reads past the buffer, which is empty.
size_t RasterBytes::ReadPast(std::span<std::byte> room) {
  if (ended_ || error_) return 0;
  const Result<size_t> read = input_.Read(room);
  if (!read.ok()) {
    error_ = read.error();
    return 0;
  }
  ended_ = *read == 0;
  return *read;
}

void RasterBytes::Refill() {
  buffer_.resize(kBufferBytes);
  next_ = 0;
  end_ = ReadPast(buffer_);
}

// Reads what is available; 0 at the end, and after an error.
size_t RasterBytes::ReadSome(std::span<std::byte> room) {
  if (next_ == end_) {
    if (room.size() >= kBufferBytes) return ReadPast(room);
    Refill();
  }
  const size_t bytes = std::min(room.size(), end_ - next_);
  std::memcpy(room.data(), &buffer_[next_], bytes);
  next_ += bytes;
  return bytes;
}

size_t RasterBytes::Fill(std::span<std::byte> room) {
  size_t filled = 0;
  while (filled < room.size()) {
    const size_t bytes = ReadSome(room.subspan(filled));
    if (bytes == 0) break;
    filled += bytes;
  }
  return filled;
}

bool RasterBytes::TakeSlowly(std::byte* to, size_t bytes) {
  while (bytes > 0) {
    const size_t got = ReadSome({to, bytes});
    if (got == 0) return false;
    to += got;
    bytes -= got;
  }
  return true;
}

}  // namespace halftoned
