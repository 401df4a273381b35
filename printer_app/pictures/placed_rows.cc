// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/placed_rows.h"

#include <algorithm>
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
      is_deep_(picture.info().page.depth() == Depth::k16),
      left_(left),
      row_(-top),
      sheet_row_(static_cast<size_t>(width), kPaperWhite),
      rows_((row_bytes_ * kMostRowsAtOnce + 1) / 2) {}

Result<void> PlacedRows::ReadMore() {
  const auto wanted = static_cast<int32_t>(
      std::min<int64_t>(kMostRowsAtOnce, picture_.info().rows - read_));
  HALFTONED_TRY_ASSIGN(
      const Filled filled,
      picture_.Read(
          {reinterpret_cast<std::byte*>(rows_.data()), row_bytes_, wanted}));
  if (filled.rows == 0) return BadInput("ends too early");
  read_ += filled.rows;
  left_in_rows_ = filled.rows;
  next_in_rows_ = 0;
  return {};
}

Result<const uint8_t*> PlacedRows::Next() {
  const int64_t wanted = row_++;
  std::ranges::fill(sheet_row_, kPaperWhite);
  if (wanted < 0 || wanted >= picture_.info().rows) return sheet_row_.data();
  const std::byte* row = nullptr;
  for (int64_t at = read_ - left_in_rows_; at <= wanted; ++at) {
    if (left_in_rows_ == 0) HALFTONED_TRY(ReadMore());
    row = reinterpret_cast<const std::byte*>(rows_.data()) +
          row_bytes_ * static_cast<size_t>(next_in_rows_++);
    --left_in_rows_;
  }
  const auto width = static_cast<int64_t>(sheet_row_.size());
  const int64_t begin = std::max<int64_t>(0, left_);
  const int64_t end =
      std::min<int64_t>(width, left_ + picture_.info().page.width());
  if (begin >= end) return sheet_row_.data();
  const auto count = static_cast<size_t>(end - begin);
  const auto skipped = static_cast<size_t>(begin - left_);
  uint8_t* const to = sheet_row_.data() + begin;
  if (is_deep_) {
    const auto* samples = reinterpret_cast<const uint16_t*>(row) + skipped;
    std::transform(samples, samples + count, to, [](uint16_t sample) {
      return static_cast<uint8_t>((sample + 128) / 257);
    });
  } else {
    std::memcpy(to, row + skipped, count);
  }
  return sheet_row_.data();
}

}  // namespace halftoned
