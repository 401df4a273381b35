// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that `fine` and `clustered` know about an 8-bit sample, including
// the curve.

#pragma once

#include <cstdint>
#include <vector>

#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned::simd {

// One load per pixel, and one transpose for all numbers.
struct ToneRecord {
  int16_t value;       // packed (packed_level.h)
  int16_t right;       // 128 times the weights
  int16_t down_right;  // with print feedback, plus noise
  int16_t down_left;
  int16_t down_left_left;
  int16_t gain;   // times 128; with print feedback, plus strength
  int16_t onset;  // times kDistanceScale; below 0 for a pure pixel of `fine`
  // The lift of `clustered`; the threshold of `fine` where nothing is held
  // back.
  int16_t threshold;
};
static_assert(sizeof(ToneRecord) == 16);

// A step of a distance, as the cores count it.
inline constexpr int kDistanceScale = 32;

// For `fine` by lookups in registers.
struct ToneBytes {
  alignas(64) uint8_t value_low[256];  // of packed values
  alignas(64) uint8_t value_high[256];
  // The row of the table, and the flags.
  alignas(64) uint8_t row[256];
  // For print feedback.
  alignas(64) uint8_t threshold_low[256];
  alignas(64) uint8_t threshold_high[256];
  alignas(64) uint8_t strength[256];
  alignas(64) uint8_t noise[256];

  static constexpr int kLight = 128;  // the tone is 128 or more
  static constexpr int kGray = 64;    // not pure
};

bool HasToneRecords(const Recipe& recipe, Depth depth);

struct ToneRecords {
  // Precondition: HasToneRecords(recipe, depth).
  ToneRecords(const Recipe& recipe, Depth depth);

  alignas(64) ToneRecord of[256];
  ToneBytes bytes;
  // A record for every value, if samples have 16 bits.
  std::vector<ToneRecord> of_values;
  int16_t middle = kWhite / 2;  // the least value of a light tone, in a record
};

}  // namespace halftoned::simd
