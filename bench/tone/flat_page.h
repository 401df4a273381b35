// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of a flat page, for simulated prints.

#pragma once

#include <cstdint>
#include <vector>

#include "halftone/page/recipe.h"

namespace halftoned::bench {

// Which pixels the definition makes black, row by row, on a page of `side` ×
// `side` pixels of gray `sample`.
std::vector<bool> BlackPixels(const Recipe& recipe, uint8_t sample,
                              int32_t side);

}  // namespace halftoned::bench
