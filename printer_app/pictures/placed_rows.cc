// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/placed_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace halftoned {
namespace {

constexpr int32_t kMostRowsAtOnce = 64;
constexpr uint8_t kPaperWhite = 255;

}  // namespace

PlacedRows::PlacedRows(PageReader& picture, int64_t width, int64_t left,
                       int64_t top)
    : picture_(picture),
      row_bytes_(picture.info().page.gray_bytes_per_row()),
      left_(left),
      row_(-top),
      sheet_row_(static_cast<size_t>(width), kPaperWhite),
      rows_(row_bytes_ * kMostRowsAtOnce) {}

Result<void> PlacedRows::ReadMore() {
  HALFTONED_TRY_ASSIGN(
      const Filled filled,
      picture_.Read({reinterpret_cast<std::byte*>(rows_.data()), row_bytes_,
                     kMostRowsAtOnce}));
  if (filled.rows == 0) return BadInput("ends too early");
  left_in_rows_ = filled.rows;
  next_in_rows_ = 0;
  return {};
}

Result<const uint8_t*> PlacedRows::Next() {
  const int64_t row = row_++;
  if (row == picture_.info().rows) std::ranges::fill(sheet_row_, kPaperWhite);
  if (row < 0 || row >= picture_.info().rows) return sheet_row_.data();
  if (left_in_rows_ == 0) HALFTONED_TRY(ReadMore());
  --left_in_rows_;
  std::memcpy(sheet_row_.data() + left_,
              rows_.data() + row_bytes_ * static_cast<size_t>(next_in_rows_++),
              row_bytes_);
  return sheet_row_.data();
}

}  // namespace halftoned
