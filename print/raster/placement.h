// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The position of halftoned rows on the output page, and the conversion of
// light to ink: in K space, 1 or the highest sample is black. Paper that no row
// covers stays white. Pure; knows no raster.

#pragma once

#include <cstddef>
#include <cstdint>

namespace halftoned {

struct Placement {
  int32_t bits_per_sample;  // 1, 2 or 4
  int32_t width_in;         // columns of a halftoned row, 1 …
  int64_t rows_in;
  int64_t width_out;  // columns and rows of the output page, 1 …
  int64_t rows_out;
  int64_t left = 0;  // place of the first column and row; if negative,
  int64_t top = 0;   // that many are cut off

  // The page itself: nothing is added or cut off.
  static Placement Whole(int32_t width, int64_t rows, int32_t bits_per_sample);

  size_t bytes_per_row_in() const;
  size_t bytes_per_row_out() const;
};

// One row of ink, placement.bytes_per_row_out() bytes, from one row of light.
void PlaceRow(const Placement& placement, const std::byte* light,
              std::byte* ink);

}  // namespace halftoned
