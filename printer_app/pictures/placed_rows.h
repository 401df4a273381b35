// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a sheet with a picture on it. The rest of the sheet is white.

#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "print/image/image.h"

namespace halftoned {

class PlacedRows {
 public:
  // `picture` has 8 bits, fits into the sheet, and outlives the rows. width: of
  // the sheet. left, top: the picture's position in dots.
  PlacedRows(PageReader& picture, int64_t width, int64_t left, int64_t top);

  // The next row of the sheet, as light; valid until the next call.
  Result<const uint8_t*> Next();

 private:
  Result<void> ReadMore();

  PageReader& picture_;
  const size_t row_bytes_;
  const int64_t left_;
  int64_t row_;  // the picture's row at the next row of the sheet
  std::vector<uint8_t> sheet_row_;
  std::vector<uint8_t> rows_;
  int32_t left_in_rows_ = 0;
  int32_t next_in_rows_ = 0;
};

}  // namespace halftoned
