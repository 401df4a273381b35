// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raster drivers that print our dots unchanged: any driver that asks only for
// 1-bit black, and drivers that halftone gray or color for a black printer and
// leave pixels of pure black and white unchanged. The latter are listed by
// name; tests have shown that they do so.

#pragma once

#include <string_view>
#include <vector>

#include "adopt/change/filter_line.h"
#include "adopt/ppd/ppd_file.h"
#include "base/result.h"

namespace halftoned {

struct RasterDriver {
  std::string_view output;  // of *halftonedOutput
  // The end of the NickName in an adopted file.
  std::string_view name_end = ", halftoned";
  bool is_thermal = false;
  // Whether the printer takes PWG raster, including 1-bit raster.
  bool is_without = false;
};

// The driver of `ppd`, which has these filters. The error names the requests
// that are not for black.
Result<RasterDriver> RasterDriverOf(PpdFile& ppd,
                                    const std::vector<FilterLine>& filters);

}  // namespace halftoned
