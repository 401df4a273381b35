// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/page/gray_source.h"

#include <algorithm>
#include <string>

#include "print/page/gray_rows.h"

namespace halftoned {

Result<Filled> GraySource::Read(GrayRoom room) {
  room.rows = static_cast<int32_t>(std::min<int64_t>(room.rows, rows_left_));
  const Result<void> read =
      CountOf(form_.colours) == 1 ? ReadGray(room) : ReadColour(room);
  if (!read.ok()) return read.error();
  rows_left_ -= room.rows;
  return Filled{room.rows, rows_left_ == 0};
}

Result<void> GraySource::ReadGray(GrayRoom room) {
  const size_t row_bytes = form_.bytes_per_line;
  // One call reads all rows if the rows of the room are contiguous.
  const int32_t rows_at_once = room.bytes_per_row == row_bytes ? room.rows : 1;
  for (int32_t i = 0; i < room.rows; i += rows_at_once) {
    const std::span<std::byte> rows(
        room.row(i), row_bytes * static_cast<size_t>(rows_at_once));
    HALFTONED_TRY(raster_.ReadRows(rows));
    if (form_.colours == Colours::kBlack) BlackToLight(rows);
  }
  return {};
}

Result<void> GraySource::ReadColour(GrayRoom room) {
  line_.resize(form_.bytes_per_line);
  for (int32_t i = 0; i < room.rows; ++i) {
    HALFTONED_TRY(raster_.ReadRows(line_));
    ColourToLight(form_, line_.data(), room.row(i));
  }
  return {};
}

}  // namespace halftoned
