// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/page/page_sink.h"

#include <algorithm>
#include <span>

namespace halftoned {

Result<void> PageSink::Write(const BitBand& bits) {
  // Only the rows of this band that lie on the page.
  const int64_t top = bits.first_row + placement_.top;
  const int64_t first = std::max<int64_t>(top, 0);
  const int64_t end = std::min(top + bits.rows, placement_.rows_out);
  if (first < end) {
    HALFTONED_TRY(PadTo(first));
    const size_t bytes_per_row = placement_.bytes_per_row_out();
    ink_.resize(bytes_per_row * static_cast<size_t>(end - first));
    std::byte* ink = ink_.data();
    for (int64_t row = first; row < end; ++row, ink += bytes_per_row) {
      PlaceRow(placement_, bits.row(static_cast<int32_t>(row - top)), ink);
    }
    HALFTONED_TRY(output_.WriteRows(ink_));
    written_ = end;
  }
  return {};
}

Result<void> PageSink::Finish() { return PadTo(placement_.rows_out); }

Result<void> PageSink::PadTo(int64_t row) {
  constexpr size_t kBytesAtOnce = size_t{256} << 10;
  if (written_ >= row) return {};
  const size_t bytes_per_row = placement_.bytes_per_row_out();
  const auto rows_at_once =
      static_cast<int64_t>(std::max<size_t>(kBytesAtOnce / bytes_per_row, 1));
  const std::vector<std::byte> white(
      bytes_per_row *
      static_cast<size_t>(std::min(rows_at_once, row - written_)));
  while (written_ < row) {
    const int64_t rows = std::min(rows_at_once, row - written_);
    HALFTONED_TRY(output_.WriteRows(
        std::span(white).first(bytes_per_row * static_cast<size_t>(rows))));
    written_ += rows;
  }
  return {};
}

}  // namespace halftoned
