// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a page of CUPS raster version 2 or PWG raster, unpacked:
//
//   page   = { group }                all rows of the page, and not one more
//   group  = copies row               copies + 1 rows that are the same
//   row    = { run }                  all bytes of the row, and not one more
//   run    = same pixel               same + 1 times this pixel
//          | other pixel { pixel }    257 - other different pixels
//          | rest                     white up to the end of the row
//   copies = 0 … 255    same = 0 … 127    other = 129 … 255    rest = 128
//
// libcups reads it too, but silently cuts off what exceeds a row or a page, so
// its page is not the one that was sent.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "print/raster/raster_bytes.h"
#include "print/raster/raster_form.h"

namespace halftoned {

class PackedRows {
 public:
  // `bytes`, which outlives it, is at the page's first group.
  PackedRows(RasterBytes& bytes, const RasterForm& form);

  // Unpacks the next rows, exactly as many as fit into `room`. Bytes of 16-bit
  // samples keep their order in the raster.
  Result<void> Read(std::span<std::byte> room);

 private:
  Result<void> ReadRow(std::byte* row);
  Result<void> BeginGroup(std::byte* row);
  Result<void> Unpack(std::byte* to);
  Error InRow(const char* what) const;

  RasterBytes& bytes_;
  const size_t row_bytes_;
  const size_t pixel_bytes_;
  const std::byte white_;
  const int64_t rows_;
  int64_t rows_left_;
  int64_t same_rows_left_ = 0;   // of the group under way
  std::vector<std::byte> same_;  // their bytes, where the group has several
};

}  // namespace halftoned
