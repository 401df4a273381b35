// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/image.h"

#include <algorithm>

namespace halftoned {

std::optional<Resolution> Plausible(const Resolution& resolution) {
  const auto is_plausible = [](double pixels_per_inch) {
    return pixels_per_inch >= 1e-3 && pixels_per_inch <= 1e6;
  };
  if (is_plausible(resolution.x) && is_plausible(resolution.y)) {
    return resolution;
  }
  return std::nullopt;
}

Result<void> CheckWidth(int64_t width) {
  if (width <= Page::kMaxWidth) return {};
  return BadInput("the width is larger than " +
                  std::to_string(Page::kMaxWidth));
}

Result<Filled> PageReader::Read(GrayRoom room) {
  const int64_t left = info_.rows - rows_read_;
  room.rows = static_cast<int32_t>(std::min<int64_t>(room.rows, left));
  HALFTONED_TRY(ReadRows(room));
  rows_read_ += room.rows;
  return Filled{room.rows, rows_read_ == info_.rows};
}

}  // namespace halftoned
