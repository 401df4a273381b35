// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/row_packer.h"

#include <algorithm>
#include <cstring>

namespace halftoned {
namespace {

constexpr int32_t kMostLines = 256;    // of a group
constexpr ptrdiff_t kMostBytes = 128;  // of a run

// The end of the bytes that equal the first.
const std::byte* EndOfSame(const std::byte* first, const std::byte* end) {
  uint64_t eight;
  std::memset(&eight, std::to_integer<int>(*first), sizeof(eight));
  const std::byte* at = first + 1;
  while (end - at >= 8 && std::memcmp(at, &eight, sizeof(eight)) == 0) at += 8;
  return std::find_if(at, end, [first](std::byte b) { return b != *first; });
}

std::byte* PackRow(std::span<const std::byte> row, std::byte* to) {
  const std::byte* const row_end = row.data() + row.size();
  for (const std::byte* from = row.data(); from < row_end;) {
    const std::byte* const most = from + std::min(row_end - from, kMostBytes);
    const std::byte* end = EndOfSame(from, most);
    if (end - from > 1 || end == row_end) {
      *to++ = static_cast<std::byte>(end - from - 1);
      *to++ = *from;
    } else {
      // The byte after a full run decides whether its last belongs to it.
      end = std::adjacent_find(from, std::min(most + 1, row_end));
      end = std::min(end, most);
      *to++ = static_cast<std::byte>(257 - (end - from));
      to = std::copy(from, end, to);
    }
    from = end;
  }
  return to;
}

}  // namespace

RowPacker::RowPacker(size_t row_bytes, int64_t rows, int32_t lines_per_row)
    : row_bytes_(row_bytes),
      rows_left_(rows),
      lines_per_row_(lines_per_row),
      row_(row_bytes) {}

void RowPacker::Pack(std::span<const std::byte> rows,
                     std::vector<std::byte>& packed) {
  for (; !rows.empty(); rows = rows.subspan(row_bytes_)) {
    const bool is_same = lines_ > 0 && lines_ + lines_per_row_ <= kMostLines &&
                         std::memcmp(rows.data(), row_.data(), row_bytes_) == 0;
    if (!is_same) {
      if (lines_ > 0) PackGroup(packed);
      std::copy_n(rows.begin(), row_bytes_, row_.begin());
    }
    lines_ += lines_per_row_;
    --rows_left_;
  }
  if (rows_left_ == 0 && lines_ > 0) PackGroup(packed);
}

void RowPacker::PackGroup(std::vector<std::byte>& packed) {
  // At worst each byte is a run of two.
  const size_t before = packed.size();
  packed.resize(before + 1 + 2 * row_bytes_);
  std::byte* to = packed.data() + before;
  *to++ = static_cast<std::byte>(lines_ - 1);
  to = PackRow(row_, to);
  packed.resize(static_cast<size_t>(to - packed.data()));
  lines_ = 0;
}

}  // namespace halftoned
