// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The term with which a pixel enters the collected sum. With value v (0 … 4080)
// and states E = 2040 - e of weights w that sum to 16,
//
//   z = 2040 - s = ((Σ w·E + 7) >> 4) - v
//                = ((Σ w·E + term) >> 4) + 16,     term = 7 - 16·v - 256
//
// so a single addition adds both the pixel and the rounding. The 256 is
// subtracted here and added back after the shift, where it costs nothing. It
// lets one byte permutation of ~a turn an 8-bit pixel a into its term, 7 -
// 256·(a + 1).

#pragma once

#include <cstdint>

#include "halftone/gpu/common/lanes.h"

namespace halftoned::cuda {

// The state of a pixel with error e is 2040 - e: 0 … 4080 for every recipe.
// Outside the page the error is 0.
inline constexpr int kStateOutside = 2040;

inline constexpr int kTermBias = 16;  // added after the shift

HALFTONED_BOTH constexpr int32_t TermOf(int value) {
  return 7 - 16 * (value + kTermBias);
}

// Pixels left of the page, right of it and below it are black.
inline constexpr int32_t kTermOutside = TermOf(0);

// The value in a table's entry that is no term (pixel.h) but an integer; an
// entry that is a float rounds to its value.
inline constexpr uint32_t kValueMask = 0xFFF;

// Entries of a table of terms: one per 8-bit sample or, for 16-bit samples, one
// per step of the tone curve.
inline constexpr int kTermsOf8 = 256;
inline constexpr int kTermsOf16 = 4080 + 1;

}  // namespace halftoned::cuda
