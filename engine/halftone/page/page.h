// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The geometry of a page: width, depth of samples and first row. Make checks
// it, so a Page is always valid. The height is not part of it: it is known
// after the last band.

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"

namespace halftoned {

// Bits of a gray sample. 16-bit samples are native-endian and aligned.
enum class Depth : uint8_t { k8 = 8, k16 = 16 };

inline constexpr size_t BytesPerSample(Depth depth) {
  return depth == Depth::k8 ? 1 : 2;
}

class Page {
 public:
  static constexpr int32_t kMaxWidth = 1 << 18;          // columns
  static constexpr int64_t kMaxRows = int64_t{1} << 32;  // rows of a page
  static constexpr int32_t kMaxRowsPerBand = 1 << 20;    // rows
  static constexpr size_t kMaxBytesPerBand = size_t{1} << 30;

  // width: 1 … kMaxWidth; bits_per_sample: 8 or 16;
  // first_row: 0 … kMaxRows - 1, the number of the first row to come, so that a
  // page can continue where another session left it.
  static Result<Page> Make(int64_t width, int bits_per_sample,
                           int64_t first_row = 0);

  int32_t width() const { return width_; }
  Depth depth() const { return depth_; }
  int64_t first_row() const { return first_row_; }

  // Bytes of one gray row, without padding.
  size_t gray_bytes_per_row() const {
    return static_cast<size_t>(width_) * BytesPerSample(depth_);
  }

  // The same page from another row on. Precondition: as in Make.
  Page StartingAt(int64_t first_row) const;

 private:
  Page(int32_t width, Depth depth, int64_t first_row)
      : width_(width), depth_(depth), first_row_(first_row) {}

  int32_t width_;
  Depth depth_;
  int64_t first_row_;
};

// A suitable band height for `page`: 64 … 256 rows, about 4 MiB if the width
// allows it; the widest pages have bands of 32 MiB. With band_bytes: 64 … 1024
// rows of about `band_bytes` together.
int32_t SuitableRowsPerBand(const Page& page, size_t band_bytes = 0);

// Refuses a number of rows that a band of `page` cannot have.
Result<void> CheckRowsPerBand(const Page& page, int32_t rows);

}  // namespace halftoned
