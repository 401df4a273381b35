// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs the rows of a page for PWG raster and URF: the inverse of PackedRows
// (packed_rows.h has the grammar), for pixels of at most one byte. The bytes
// are those of libcups, which takes longer: `rest` is never used.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace halftoned {

class RowPacker {
 public:
  // lines_per_row: lines that the printer prints for a row, 1 … 255.
  RowPacker(size_t row_bytes, int64_t rows, int32_t lines_per_row);

  size_t row_bytes() const { return row_bytes_; }
  int64_t rows_left() const { return rows_left_; }

  // Appends the groups that these rows complete; the last row of the page
  // completes the last one. Precondition: at most rows_left() whole rows.
  void Pack(std::span<const std::byte> rows, std::vector<std::byte>& packed);

 private:
  void PackGroup(std::vector<std::byte>& packed);

  size_t row_bytes_;
  int64_t rows_left_;
  int32_t lines_per_row_;
  int32_t lines_ = 0;           // of the group under way
  std::vector<std::byte> row_;  // of the group under way
};

}  // namespace halftoned
