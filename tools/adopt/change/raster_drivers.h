// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers of raster that print our dots as they are: any driver that asks only
// for 1-bit black, and those that halftone gray or color for a printer of
// black, and leave pixels of pure black and white as they are. These are known
// by name, because tests have seen that they do.

#pragma once

#include <string_view>
#include <vector>

#include "adopt/change/filter_line.h"
#include "adopt/ppd/ppd_file.h"
#include "base/result.h"

namespace halftoned {

struct RasterDriver {
  std::string_view output;  // of *halftonedOutput
  // How the NickName of an adopted file ends.
  std::string_view name_end = ", halftoned";
  bool is_thermal = false;
  // Whether the printer takes PWG raster, of 1 bit too.
  bool is_without = false;
};

// The driver of `ppd`, whose filters are these; an error says which of its
// requests are not for black.
Result<RasterDriver> RasterDriverOf(PpdFile& ppd,
                                    const std::vector<FilterLine>& filters);

}  // namespace halftoned
