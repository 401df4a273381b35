// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the first pass of `best`, in the form of fine_table.h: that of
// `fine`, changed so that its dots have most to gain from the second pass. It
// keeps the bounds of error_sums.h.

#ifndef HALFTONED_HALFTONE_PAGE_BEST_FIRST_TABLE_H_
#define HALFTONED_HALFTONE_PAGE_BEST_FIRST_TABLE_H_

#include "halftone/page/fine_table.h"
#include "halftone/page/recipe.h"

namespace halftoned {

inline constexpr ToneTable kBestFirstTable = {{
    // clang-format off
    {153, 44, -64, 109, 0, 0, 0},
    {21, 37, 35, 10, 84, 32, 638},
    {39, 42, 28, 12, 116, 28, 751},
    {57, 47, 20, 13, 148, 24, 864},
    {64, 45, 17, 12, 156, 22, 941},
    {70, 44, 14, 10, 165, 21, 1018},
    {77, 42, 11, 9, 173, 19, 1095},
    {81, 35, 12, 10, 180, 19, 1107},
    {85, 28, 13, 12, 187, 19, 1119},
    {90, 21, 11, 15, 181, 20, 1131},
    {94, 13, 10, 19, 172, 19, 1143},
    {98, 3, 12, 18, 199, 20, 1128},
    {102, 2, 16, 17, 225, 21, 1114},
    {101, 2, 18, 16, 212, 18, 1100},
    {101, 6, 20, 16, 200, 16, 1086},
    {102, 6, 22, 16, 196, 13, 1038},
    {101, 8, 25, 15, 188, 6, 926},
    {101, 9, 30, 16, 174, 0, 805},
    {101, 12, 37, 14, 163, 0, 787},
    {101, 16, 44, 14, 150, 0, 769},
    {97, 19, 50, 12, 141, 1, 773},
    {91, 26, 45, 12, 130, 1, 794},
    {86, 31, 40, 12, 120, 2, 813},
    {84, 30, 38, 11, 103, 4, 800},
    {87, 16, 49, 6, 77, 5, 714},
    {90, 2, 59, 2, 52, 7, 630},
    {88, 1, 70, 2, 28, 7, 579},
    {75, 12, 86, 9, 16, 2, 559},
    {71, 25, 88, 8, 27, 2, 604},
    {80, 38, 74, 1, 48, 7, 634},
    {85, 47, 62, 0, 21, 8, 538},
    {88, 42, 45, 4, 2, 6, 451},
    {96, 34, 32, 10, 9, 4, 442},
    {104, 25, 21, 16, 23, 3, 429},
    {104, 29, 25, 13, 18, 3, 375},
    {102, 34, 29, 12, 15, 4, 319},
    {101, 37, 33, 8, 12, 5, 264},
    {102, 37, 37, 10, 20, 4, 236},
    {97, 38, 39, 10, 35, 3, 191},
    {91, 42, 39, 8, 49, 1, 130},
    {84, 46, 40, 5, 64, 0, 70},
    {79, 48, 38, 5, 47, 0, 37},
    {73, 51, 34, 5, 27, 0, 11},
    {72, 52, 36, 6, 17, 0, 18},
    // clang-format on
}};

// Of a recipe of `fine`.
inline const ToneTable& FineTableOf(const Recipe& recipe) {
  return recipe.parameter(Recipe::kTable) == 0 ? kFineTable : kBestFirstTable;
}

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_PAGE_BEST_FIRST_TABLE_H_
