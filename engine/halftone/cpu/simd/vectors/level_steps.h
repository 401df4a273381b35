// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More than two levels without comparisons: 16-bit multiplications give the
// level of an x = s + kBias, and the value of a level. The compiler proves them
// over the whole range.
//
//   k     = ((x - offset) · scale >> 16) >> shift
//   value = (k · value_scale + value_rest) >> 4

#pragma once

#include <cstdint>

#include "halftone/cpu/simd/core.h"
#include "halftone/page/levels.h"

namespace halftoned::simd {

struct LevelSteps {
  uint16_t offset;
  uint16_t scale;
  int shift;
  uint16_t value_scale;
  uint16_t value_rest;

  // Precondition: count is 4, 8 or 16.
  static constexpr LevelSteps ForCount(int count) {
    return count == 4   ? LevelSteps{kBias - 679, 49345, 10, 21760, 0}
           : count == 8 ? LevelSteps{kBias - 291, 57575, 9, 9325, 9}
                        : LevelSteps{kBias - 135, 61681, 8, 4352, 0};
  }

  constexpr bool IsExact(int count) const {
    const Levels levels = Levels::ForCount(count);
    for (int k = 0; k < count; ++k) {
      const int product = k * value_scale + value_rest;
      if (product > 65535 || product >> 4 != levels.value[k]) return false;
    }
    int k = 0;
    for (int s = levels.min_error; s <= kWhite + levels.max_error; ++s) {
      if (k < count - 1 && s > levels.midpoint[k]) ++k;
      const int y = s + kBias - offset;
      if (y < 0 || (y * int64_t{scale} >> 16 >> shift) != k) return false;
    }
    return true;
  }
};

static_assert(LevelSteps::ForCount(4).IsExact(4));
static_assert(LevelSteps::ForCount(8).IsExact(8));
static_assert(LevelSteps::ForCount(16).IsExact(16));

}  // namespace halftoned::simd
