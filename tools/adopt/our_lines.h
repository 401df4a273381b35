// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines that an adopted PPD file has beside its driver's: what our filter
// must know, and the options of halftoning, as our own models have them.

#ifndef HALFTONED_TOOLS_ADOPT_OUR_LINES_H_
#define HALFTONED_TOOLS_ADOPT_OUR_LINES_H_

#include <string>
#include <string_view>
#include <vector>

#include "adopt/filter_line.h"
#include "adopt/ppd_file.h"

namespace halftoned {

// How the first and the last of them begin.
inline constexpr std::string_view kBegins = "*%halftoned begins";
inline constexpr std::string_view kEnds = "*%halftoned ends";

// `filters`: those of `ppd`; `eol`: how its lines end.
std::string OurLines(const PpdFile& ppd, const std::vector<FilterLine>& filters,
                     std::string_view eol);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_OUR_LINES_H_
