// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the first pass of `best`, with the format and the bounds of the
// table of `fine` (fine_table.h, error_sums.h). A search found it: the second
// pass improves its dots most, and thin gray lines keep their ink.

#pragma once

#include "halftone/page/fine_table.h"
#include "halftone/page/recipe.h"

namespace halftoned {

inline constexpr ToneTable kBestFirstTable = {{
    // clang-format off
    {153, 44, -64, 109, 0, 0, 0},
    {11, 16, 25, 17, 78, 35, 931},
    {48, 35, 11, 15, 119, 25, 938},
    {91, 42, 10, 17, 154, 14, 884},
    {86, 42, 15, 17, 159, 16, 916},
    {90, 44, 16, 14, 160, 19, 960},
    {68, 44, 17, 10, 170, 19, 1114},
    {93, 37, 7, 12, 167, 15, 1091},
    {90, 20, 1, 15, 180, 14, 1126},
    {93, 19, 6, 17, 178, 19, 1123},
    {89, 2, 8, 17, 174, 17, 1136},
    {87, 7, 14, 17, 165, 22, 1047},
    {102, 8, 21, 17, 220, 20, 1138},
    {97, 2, 22, 15, 209, 16, 1084},
    {98, 5, 17, 14, 200, 14, 1008},
    {104, 14, 29, 16, 190, 14, 843},
    {106, 28, 27, 17, 173, 6, 780},
    {106, 15, 33, 16, 164, 0, 732},
    {106, 41, 43, 17, 161, 1, 815},
    {105, 44, 35, 15, 158, 2, 831},
    {106, 33, 43, 17, 152, 1, 775},
    {106, 48, 37, 14, 131, 0, 773},
    {95, 28, 41, 11, 119, 2, 800},
    {91, 41, 50, 6, 105, 3, 782},
    {92, 52, 57, 5, 106, 4, 684},
    {93, 32, 60, 2, 75, 4, 647},
    {94, 21, 72, 2, 50, 3, 694},
    {90, 21, 93, 4, 16, 2, 606},
    {77, 49, 62, 0, 27, 3, 588},
    {78, 46, 69, 0, 50, 8, 502},
    {76, 49, 65, 0, 7, 9, 439},
    {83, 54, 55, 2, 5, 8, 381},
    {93, 39, 33, 0, 2, 3, 361},
    {101, 33, 21, 7, 2, 2, 325},
    {103, 37, 22, 12, 1, 2, 264},
    {106, 35, 27, 9, 20, 0, 244},
    {106, 38, 28, 7, 35, 2, 156},
    {106, 39, 21, 12, 35, 6, 56},
    {102, 40, 35, 10, 21, 0, 0},
    {93, 42, 39, 13, 40, 0, 0},
    {86, 46, 39, 11, 58, 0, 0},
    {77, 43, 43, 11, 34, 1, 32},
    {73, 52, 37, 5, 6, 1, 0},
    {72, 55, 34, 8, 19, 1, 1},
    // clang-format on
}};

// The table of a recipe of `fine`.
inline const ToneTable& FineTableOf(const Recipe& recipe) {
  return recipe.parameter(Recipe::kTable) == 0 ? kFineTable : kBestFirstTable;
}

}  // namespace halftoned
