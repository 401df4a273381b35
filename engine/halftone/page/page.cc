// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/page.h"

#include <algorithm>
#include <string>

namespace halftoned {

Result<Page> Page::Make(int64_t width, int bits_per_sample, int64_t first_row) {
  if (width < 1 || width > kMaxWidth) {
    return BadInput("width " + std::to_string(width) + " is not in 1 … " +
                    std::to_string(kMaxWidth));
  }
  if (bits_per_sample != 8 && bits_per_sample != 16) {
    return BadInput("gray of " + std::to_string(bits_per_sample) +
                    " bits per sample is not supported, only 8 and 16");
  }
  if (first_row < 0 || first_row >= kMaxRows) {
    return BadInput("first row " + std::to_string(first_row) +
                    " is not in 0 … " + std::to_string(kMaxRows - 1));
  }
  return Page(static_cast<int32_t>(width),
              bits_per_sample == 8 ? Depth::k8 : Depth::k16, first_row);
}

Page Page::StartingAt(int64_t first_row) const {
  Page page = *this;
  page.first_row_ = first_row;
  return page;
}

int32_t SuitableRowsPerBand(const Page& page, size_t band_bytes) {
  constexpr size_t kBytes = size_t{4} << 20;
  constexpr size_t kStrip = 64;
  const size_t most = (band_bytes == 0 ? 4 : 16) * kStrip;
  const size_t rows = (band_bytes == 0 ? kBytes : band_bytes) /
                      page.gray_bytes_per_row() / kStrip * kStrip;
  return static_cast<int32_t>(std::clamp(rows, kStrip, most));
}

Result<void> CheckRowsPerBand(const Page& page, int32_t rows) {
  if (rows < 1 || rows > Page::kMaxRowsPerBand) {
    return BadInput(std::to_string(rows) + " rows per band are not in 1 … " +
                    std::to_string(Page::kMaxRowsPerBand));
  }
  if (page.gray_bytes_per_row() * static_cast<size_t>(rows) >
      Page::kMaxBytesPerBand) {
    return BadInput("a band of " + std::to_string(rows) +
                    " rows would be larger than 1 GiB");
  }
  return {};
}

}  // namespace halftoned
