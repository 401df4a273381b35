// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bands: consecutive rows of a page, as non-owning views. They are passed by
// value; session.h says how long their memory lives.

#pragma once

#include <cstddef>
#include <cstdint>

namespace halftoned {

// Gray rows to read. Gray is light: 0 black, 255 or 65535 white. Samples are
// 8-bit, or 16-bit native-endian with even addresses and pitch (see Depth).
struct GrayBand {
  const std::byte* bytes = nullptr;
  size_t bytes_per_row = 0;  // the pitch, at least the row's own bytes
  int32_t rows = 0;

  const std::byte* row(int32_t i) const {
    return bytes + static_cast<size_t>(i) * bytes_per_row;
  }
};

// Room for gray rows, lent to the caller to fill.
struct GrayRoom {
  std::byte* bytes = nullptr;
  size_t bytes_per_row = 0;
  int32_t rows = 0;  // maximum number; 0: no room now

  std::byte* row(int32_t i) const {
    return bytes + static_cast<size_t>(i) * bytes_per_row;
  }
};

// Halftoned rows: packed samples of 1, 2 or 4 bits, the first in the most
// significant bits. Each row begins with a new byte; the unused bits of its
// last byte are 0. Bits are light too: 1 (or the highest sample) is white.
struct BitBand {
  const std::byte* bytes = nullptr;
  size_t bytes_per_row = 0;
  int32_t rows = 0;
  int64_t first_row = 0;  // its number on the page

  const std::byte* row(int32_t i) const {
    return bytes + static_cast<size_t>(i) * bytes_per_row;
  }
};

// Room for halftoned rows, for an engine's kernel.
struct BitRoom {
  std::byte* bytes = nullptr;
  size_t bytes_per_row = 0;
  int32_t rows = 0;

  std::byte* row(int32_t i) const {
    return bytes + static_cast<size_t>(i) * bytes_per_row;
  }
};

}  // namespace halftoned
