// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors spread in 256ths to up to five neighbors, as in all recipes with a
// state except Floyd–Steinberg and the classic kernels (classic_table.h).
//
//   p_k = (w_k e + 128) >> 8   to each neighbor k; the rest straight down
//
// With more than two levels every pixel's e and sum are on the scale of its
// interval (levels.h). All intervals have the same scale, so numbers and bounds
// are those of two levels.
//
// A row's sums are clamped when the row above it is finished. No known page
// comes near the clamp (|sum| ≤ 3103, |e| ≤ 4223). But weights that depend on
// the tone can give a pixel a total of more than 256, and the clamp keeps every
// number in 16 bits for any page and any carry:
//
// clang-format off
//   |sum| ≤ A = 8000, and at most one neighbor adds to it in the row: p_R.
//   s = v + sum + p_R, v in 0 … 4080, and a threshold is within T of 2040,
//   T = 2040 + 1156 (fine), 11000 (clustered). Then
//   e = s - q for a level q on the side of v that s is on, or |e| ≤ 2040 + T:
//     |e| ≤ max(2040 + T, A + |p_R|) ≤ E
//   fine: weights to the right are up to 108, and 153 in row 0, where an eighth
//     of e leaks away: E₀ = 7/8 (A + 0.6 E₀) = 14.8 thousand after the leak,
//     E = A + 0.6 E₀ = 16.9 thousand, s + threshold ≤ 4080 + E + T ≤ 24.2
//     thousand; a sum before its clamp at most (153 E + 56 E + 93 E + 17
//     E)/256, with row 0's 109 and 64 of E₀ instead of the last two less
//     than 26.1 thousand
//   fine with print feedback: T is 904 more by noise, and e takes at most 1300
//     beside a pixel's own light; in rows 0 … 9, where it takes nothing, a delay
//     is up to 480, 42 in row 0. So E = 18.2 thousand,
//     s + threshold ≤ 26 thousand, a sum before its clamp less than 29 thousand
//   clustered: weights to the right are up to 128, and row 0 is the same, so E
//     is too; s + threshold ≤ 4080 + E + T ≤ 32.0 thousand, a sum before its
//     clamp less than 30 thousand
// clang-format on
//
// tests/halftone/page/contract_test.cc checks these numbers.

#pragma once

#include <cstdint>

namespace halftoned {

inline constexpr int16_t kMaxErrorSum = 8000;

// In 256ths.
struct ErrorWeights {
  int right;
  int down_right;
  int down_left;
  int down_left_left;
};

constexpr int ErrorPart(int weight, int error) {
  return (weight * error + 128) >> 8;
}

}  // namespace halftoned
