// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/image.h"

#include <algorithm>

namespace halftoned {

Result<Filled> PageReader::Read(GrayRoom room) {
  const int64_t left = info_.rows - rows_read_;
  room.rows = static_cast<int32_t>(std::min<int64_t>(room.rows, left));
  HALFTONED_TRY(ReadRows(room));
  rows_read_ += room.rows;
  return Filled{room.rows, rows_read_ == info_.rows};
}

}  // namespace halftoned
