// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines that adoption adds to a PPD file: the settings of our filter, and
// the halftone options, as in our own models.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "adopt/change/filter_line.h"
#include "adopt/change/raster_drivers.h"
#include "adopt/ppd/ppd_file.h"

namespace halftoned {

// The start of the first and of the last line.
inline constexpr std::string_view kBegins = "*%halftoned begins";
inline constexpr std::string_view kEnds = "*%halftoned ends";

// filters, driver, eol: the filters, the driver and the line ending of `ppd`.
std::string OurLines(const PpdFile& ppd, const std::vector<FilterLine>& filters,
                     const RasterDriver& driver, std::string_view eol);

// Only the halftone options.
std::string OurOptions();

}  // namespace halftoned
