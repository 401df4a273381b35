// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of a page's rows, from its header, checked. A header may come from
// anywhere, so every field that the filter computes with is checked once, in
// FormOf, in 64 bits, before memory is allocated for the page. Numbers of
// copies and sizes are checked too, since drivers rely on them. Other fields
// that only drivers read are passed on unchanged.

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "halftone/page/page.h"
#include "print/raster/raster_header.h"

namespace halftoned {

// The meaning of a pixel's samples.
// kBits: black or white, one bit per pixel, 1 black.
enum class Colours { kLight, kBlack, kRgb, kCmy, kCmyk, kBits };

constexpr int CountOf(Colours colours) {
  switch (colours) {
    case Colours::kLight:
    case Colours::kBlack:
    case Colours::kBits:
      return 1;
    case Colours::kRgb:
    case Colours::kCmy:
      return 3;
    case Colours::kCmyk:
      return 4;
  }
  return 0;
}

struct RasterForm {
  static constexpr uint32_t kMaxRows = 0x00ffffff;  // libcups' limit
  static constexpr uint32_t kMaxDotsPerInch = 19200;
  static constexpr uint32_t kMaxCopies = 9999;  // CUPS's limit

  Page page;
  int64_t rows;  // 1 … kMaxRows
  Colours colours;
  size_t bytes_per_line;  // of a raster row with all its colors
};

// kBadInput names the wrong field.
Result<RasterForm> FormOf(const PageHeader& header);

// The form of a page without gray to halftone: 1-bit K.
Result<RasterForm> FormOfBits(const PageHeader& header);

}  // namespace halftoned
