// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output levels of a recipe: their values on the scale of kWhite, the
// midpoints between them, and the packed sample of each; and the interval
// between two of them in which a value lies.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "halftone/page/tone_curve.h"

namespace halftoned {

struct Levels {
  int count;            // 2, 4, 8 or 16
  int bits_per_sample;  // 1, 2, 4 and 4
  int min_error;        // every error lies in min_error … max_error
  int max_error;
  std::array<int16_t, 16> value;     // of level k, rising from 0 to kWhite
  std::array<int16_t, 15> midpoint;  // level k + 1 begins above midpoint k
  std::array<uint8_t, 16> sample;    // as written for level k

  static constexpr bool IsServed(int count) {
    return count == 2 || count == 4 || count == 8 || count == 16;
  }

  // Precondition: IsServed(count).
  static constexpr Levels ForCount(int count);
};

constexpr Levels Levels::ForCount(int count) {
  Levels levels{};
  const int steps = count - 1;
  levels.count = count;
  levels.bits_per_sample = count == 2 ? 1 : count == 4 ? 2 : 4;
  const int top_sample = (1 << levels.bits_per_sample) - 1;
  for (int k = 0; k < count; ++k) {
    levels.value[k] = static_cast<int16_t>((k * kWhite + steps / 2) / steps);
    levels.sample[k] =
        static_cast<uint8_t>((2 * k * top_sample + steps) / (2 * steps));
  }
  for (int k = 0; k < steps; ++k) {
    levels.midpoint[k] =
        static_cast<int16_t>((levels.value[k] + levels.value[k + 1]) / 2);
  }
  levels.min_error = 0;
  levels.max_error = 0;
  for (int k = 0; k < steps; ++k) {
    const int above = levels.midpoint[k] - levels.value[k];
    const int below = levels.midpoint[k] + 1 - levels.value[k + 1];
    if (above > levels.max_error) levels.max_error = above;
    if (below < levels.min_error) levels.min_error = below;
  }
  return levels;
}

// A sample of a packed row.
inline int SampleIn(const std::byte* row, int32_t column, int bits) {
  const int64_t bit = int64_t{column} * bits;
  const int shift = 8 - bits - static_cast<int>(bit % 8);
  return std::to_integer<int>(row[bit / 8]) >> shift & ((1 << bits) - 1);
}

// The lower one of the two levels around a value, and the value between them,
// on a scale of kWhite. White belongs to the highest interval; every other
// level begins its interval.
struct Interval {
  int level;  // 0 … count - 2
  int value;  // 0 … kWhite
};

constexpr Interval IntervalOf(int v, int count) {
  const int scaled = (count - 1) * v;
  int level = scaled / kWhite;
  if (level == count - 1) --level;
  return {level, scaled - level * kWhite};
}

}  // namespace halftoned
