// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fine` with more than two levels: a value's interval (levels.h) in one 16-bit
// number, the level in its highest four bits and the value between this level
// and the next in the others. With two levels that is the value itself.

#pragma once

#include <cstdint>

#include "halftone/page/levels.h"
#include "halftone/page/recipe.h"

namespace halftoned::simd {

inline constexpr int kPackedLevelShift = 12;
inline constexpr int kPackedValueMask = (1 << kPackedLevelShift) - 1;
static_assert(kWhite < kPackedValueMask);

constexpr uint16_t PackedLevelOf(int v, int count) {
  const Interval at = IntervalOf(v, count);
  return static_cast<uint16_t>(at.level << kPackedLevelShift | at.value);
}

// What vectors need of a recipe's levels.
struct LevelConstants {
  LevelConstants() = default;
  explicit LevelConstants(const Recipe& recipe)
      : LevelConstants(recipe.levels().count, recipe.is_pure()) {}

  constexpr LevelConstants(int count, bool is_pure)
      : steps(static_cast<uint16_t>(count - 1)),
        highest(static_cast<uint16_t>(count - 2)),
        sample_scale(count == 8 ? 9 : 4),
        pure_black(is_pure ? 0 : kPackedValueMask),
        pure_white(is_pure ? PackedLevelOf(kWhite, count) : kPackedValueMask) {}

  // As vectors compute it, in 16 bits.
  constexpr uint16_t Pack(int v) const {
    const int x = v * steps;
    const int y = x >> 4;  // of which a level is 255
    const int quotient = (y + (y >> 8) + 1) >> 8;
    const int level = quotient < highest ? quotient : highest;
    return static_cast<uint16_t>(level << kPackedLevelShift |
                                 (x - level * kWhite));
  }

  constexpr bool IsExact() const {
    const Levels levels = Levels::ForCount(steps + 1);
    for (int v = 0; v <= kWhite; ++v) {
      if (Pack(v) != PackedLevelOf(v, levels.count)) return false;
    }
    for (int k = 0; k < levels.count; ++k) {
      if (k * sample_scale >> 2 != levels.sample[k]) return false;
    }
    return true;
  }

  uint16_t steps;         // from level to level
  uint16_t highest;       // level of an interval
  uint16_t sample_scale;  // a level's sample is level · sample_scale >> 2
  uint16_t pure_black;    // packed; no possible value where there are none
  uint16_t pure_white;
};

static_assert(LevelConstants(4, false).IsExact());
static_assert(LevelConstants(8, false).IsExact());
static_assert(LevelConstants(16, false).IsExact());

}  // namespace halftoned::simd
