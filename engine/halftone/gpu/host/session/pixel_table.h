// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table that BandJob::tone points to: for each 8-bit sample or each step of
// the curve, what a recipe's kernel needs to know about a pixel; and for
// `bi-level`, `screen` and `blue-noise`, the recipe's screen.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda {

// The maximum number of entries of a table, at either depth.
size_t MostEntries(const Recipe& recipe);

// Empty if the kernel needs no table.
std::vector<int32_t> PixelTable(const Recipe& recipe, Depth depth);

// The value of a pixel, from its entry in the table.
int PixelValue(const Recipe& recipe, int32_t entry);

}  // namespace halftoned::cuda
