// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a page header says of the rows that follow it, checked. A header may
// come from anywhere, so every field that anybody here computes with is checked
// once, in FormOf, in 64 bits, before memory is allocated for the page; the
// fields that only a driver reads are passed on as they are.

#ifndef HALFTONED_FILTER_RASTER_FORM_H_
#define HALFTONED_FILTER_RASTER_FORM_H_

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "filter/raster_header.h"
#include "halftone/page.h"

namespace halftoned {

// What the samples of a pixel are.
enum class Colours { kLight, kBlack, kRgb, kCmy, kCmyk };

constexpr int CountOf(Colours colours) {
  switch (colours) {
    case Colours::kLight:
    case Colours::kBlack:
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
  static constexpr uint32_t kMaxRows = 0x00ffffff;  // as libcups has it
  static constexpr uint32_t kMaxDotsPerInch = 19200;

  Page page;
  int64_t rows;  // 1 … kMaxRows
  Colours colours;
  size_t bytes_per_line;  // of a raster row, all its colours together
};

// kBadInput names the field and what is wrong with it.
Result<RasterForm> FormOf(const PageHeader& header);

}  // namespace halftoned

#endif  // HALFTONED_FILTER_RASTER_FORM_H_
