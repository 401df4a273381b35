// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the classic kernels: error diffusion with the weights that their
// authors published, which reach two rows down and two columns aside.
//
//   to rows     i, columns j + 1, j + 2
//           i + 1, columns j - 2 … j + 2
//           i + 2, columns j - 2 … j + 2
//
// Every neighbor gets p = (factor · e + 2^14) >> 15, and straight down the rest
// (docs/reference/bits.md). The numbers of each kernel fit 16 bits, for any
// page and any carry:
//
//   |sum| ≤ A = kMaxErrorSum, and two neighbors add to it in the row:
//   |e| ≤ E = A + (right + right right) · E, with parts rounded;
//   what a row hands to the one after the next is at most lowest · E, which
//   must not exceed A; a sum before its clamp at most that and below · E.
//
// Vectors take for granted that parts two columns aside are equal on both
// sides, and those two rows below too.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "halftone/page/error_sums.h"
#include "halftone/page/method.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

struct ClassicKernel {
  Algorithm algorithm;
  int of;  // what weights are parts of
  // To the right, below and two rows below, from left to right; then what
  // nobody gets.
  std::array<int, 13> weights;

  static constexpr size_t kBelow = 2;
  static constexpr size_t kDown = 4;  // gets the rest
  static constexpr size_t kLowest = 7;
  static constexpr size_t kNobody = 12;

  // In 2^15ths.
  constexpr int16_t factor(size_t i) const {
    return static_cast<int16_t>((2 * weights[i] * 32768 + of) / (2 * of));
  }
  static constexpr int Part(int factor, int error) {
    return (factor * error + (1 << 14)) >> 15;
  }

  constexpr int Sum(size_t first, size_t end) const {
    int sum = 0;
    for (size_t i = first; i < end; ++i) sum += weights[i];
    return sum;
  }
  constexpr bool IsSound() const {
    const int aside = Sum(0, kBelow);
    const int most_error = (kMaxErrorSum + 2) * of / (of - aside) + 1;
    const int lowest = Sum(kLowest, kNobody) * most_error / of + 5;
    const int below = Sum(kBelow, kLowest) * most_error / of + 12;
    const bool is_symmetric = weights[kBelow] == weights[kBelow + 4] &&
                              weights[kLowest] == weights[kLowest + 4] &&
                              weights[kLowest + 1] == weights[kLowest + 3];
    return is_symmetric && Sum(0, weights.size()) == of &&
           lowest <= kMaxErrorSum && kMaxErrorSum + below <= INT16_MAX &&
           kWhite + most_error <= INT16_MAX;
  }
};

inline constexpr ClassicKernel kClassicKernels[] = {
    // clang-format off
    {Algorithm::kJarvis, 48, {7, 5,
                     3, 5, 7, 5, 3,
                     1, 3, 5, 3, 1, 0}},
    {Algorithm::kStucki, 42, {8, 4,
                     2, 4, 8, 4, 2,
                     1, 2, 4, 2, 1, 0}},
    {Algorithm::kBurkes, 32, {8, 4,
                     2, 4, 8, 4, 2,
                     0, 0, 0, 0, 0, 0}},
    {Algorithm::kSierra, 32, {5, 3,
                     2, 4, 5, 4, 2,
                     0, 2, 3, 2, 0, 0}},
    {Algorithm::kAtkinson, 8, {1, 1,
                     0, 1, 1, 1, 0,
                     0, 0, 1, 0, 0, 2}},
    {Algorithm::kFalseFloydSteinberg, 8, {3, 0,
                     0, 0, 3, 2, 0,
                     0, 0, 0, 0, 0, 0}},
    // clang-format on
};

static_assert([] {
  for (const ClassicKernel& kernel : kClassicKernels) {
    if (!kernel.IsSound()) return false;
  }
  return true;
}());

// Precondition: it has one.
constexpr const ClassicKernel& ClassicKernelOf(Algorithm algorithm) {
  const ClassicKernel* kernel = kClassicKernels;
  while (kernel->algorithm != algorithm) ++kernel;
  return *kernel;
}

}  // namespace halftoned
