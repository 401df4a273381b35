// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that `fine` and `clustered` know of an 8-bit sample, curve included, as
// one record of 16 bytes: one load a pixel, and one transpose for all numbers.

#ifndef HALFTONED_HALFTONE_CPU_SIMD_TONE_RECORDS_H_
#define HALFTONED_HALFTONE_CPU_SIMD_TONE_RECORDS_H_

#include <cstdint>

#include "halftone/page/recipe.h"

namespace halftoned::simd {

struct ToneRecord {
  int16_t value;
  int16_t right;  // 128 times the weights
  int16_t down_right;
  int16_t down_left;
  int16_t down_left_left;
  int16_t gain;   // times 128
  int16_t onset;  // times kDistanceScale
  int16_t lift;
};
static_assert(sizeof(ToneRecord) == 16);

// A step of a distance, as the cores count it.
inline constexpr int kDistanceScale = 32;

bool HasToneRecords(const Recipe& recipe);

struct ToneRecords {
  // Precondition: HasToneRecords(recipe).
  explicit ToneRecords(const Recipe& recipe);

  alignas(64) ToneRecord of[256];
};

}  // namespace halftoned::simd

#endif  // HALFTONED_HALFTONE_CPU_SIMD_TONE_RECORDS_H_
