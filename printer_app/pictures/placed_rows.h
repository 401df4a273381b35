// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a sheet with a picture on it. The rest of the sheet is white, and
// the picture is cropped to the sheet.

#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "print/image/image.h"

namespace halftoned {

class PlacedRows {
 public:
  // `picture` outlives the rows. left, top: the picture's position in dots; may
  // be negative.
  PlacedRows(PageReader& picture, int64_t width, int64_t left, int64_t top);

  // The next row of the sheet, as 8-bit light; valid until the next call.
  Result<const uint8_t*> Next();

 private:
  Result<void> ReadMore();

  PageReader& picture_;
  const size_t row_bytes_;
  const bool is_deep_;
  const int64_t left_;
  int64_t row_;  // the picture's row at the next row of the sheet
  int64_t read_ = 0;
  std::vector<uint8_t> sheet_row_;
  std::vector<uint16_t> rows_;  // words, for alignment
  int32_t left_in_rows_ = 0;
  int32_t next_in_rows_ = 0;
};

}  // namespace halftoned
