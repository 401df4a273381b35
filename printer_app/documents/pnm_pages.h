// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of Ghostscript's devices pgmraw and pbmraw, out of its pipe, as
// light of 8 bits. A renderer writes row by row, so its rows are gathered in
// the pipe, as the filter does it (polled_io.h).
//
//   page = ("P5" | "P4") "\n" { "#" … "\n" } width " " height "\n"
//          [ "255" "\n" ] rows       the highest value, of P5

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "print/raster/raster_bytes.h"

namespace halftoned {

class PnmPages {
 public:
  // `pages` outlives it. width, rows: of each page.
  PnmPages(PolledInput& pages, int64_t width, int64_t rows);

  // Whether there is another page. All rows of the one before have been read.
  Result<bool> Next();

  // Whether this page is bits: 1 is ink, and bits beyond the width are 0.
  bool is_ink() const { return is_ink_; }
  size_t bytes_per_row() const { return is_ink_ ? (width_ + 7) / 8 : width_; }

  // A whole number of rows.
  Result<void> Read(std::span<std::byte> rows);

 private:
  Result<std::string> Line();

  RasterBytes bytes_;
  const size_t width_;
  const std::string size_;
  bool is_ink_ = false;
};

}  // namespace halftoned
