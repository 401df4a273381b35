// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of a flat page, for simulated prints.

#ifndef HALFTONED_BENCH_TONE_FLAT_PAGE_H_
#define HALFTONED_BENCH_TONE_FLAT_PAGE_H_

#include <cstdint>
#include <vector>

#include "halftone/page/recipe.h"

namespace halftoned::bench {

// Row by row, which pixels of a page of `side` × `side` pixels of gray `sample`
// the definition makes black.
std::vector<bool> BlackPixels(const Recipe& recipe, uint8_t sample,
                              int32_t side);

}  // namespace halftoned::bench

#endif  // HALFTONED_BENCH_TONE_FLAT_PAGE_H_
