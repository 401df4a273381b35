// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the classic kernels: error diffusion with the weights that their
// authors published, which reach up to two rows down and two columns to each
// side.
//
//   to rows     i, columns j + 1, j + 2
//           i + 1, columns j - 2 … j + 2
//           i + 2, columns j - 2 … j + 2
//
// Every neighbor gets p = (factor · e + 2^14) >> 15, except the one straight
// down, which gets the rest (docs/reference/bits.md). All numbers fit 16 bits,
// for any kernel, page and carry:
//
//   |sum| ≤ A = kMaxErrorSum, and two neighbors in the row add to it; a pixel
//   of a run may be black though its value is that of white, and the reverse:
//   |e| ≤ E = 4080 + A + (right + right right) · E, with rounded parts;
//   a row hands at most lowest · E to the row after the next, which must not
//   exceed A; before it is clamped, a sum is at most A + below · E.
//
// The vector code assumes symmetric weights two columns to each side, and in
// the whole row two rows down.

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
  int of;  // the denominator of the weights
  // Two to the right, five in the next row, five in the row after it, each from
  // left to right; then the share that is dropped.
  std::array<int, 13> weights;

  static constexpr size_t kBelow = 2;
  static constexpr size_t kDown = 4;  // gets the rest
  static constexpr size_t kLowest = 7;
  static constexpr size_t kNobody = 12;

  // A weight in units of 2^-15.
  constexpr int16_t factor(size_t i) const {
    return static_cast<int16_t>((2 * weights[i] * 32768 + of) / (2 * of));
  }
  static constexpr int Part(int factor, int error) {
    return (factor * error + (1 << 14)) >> 15;
  }

  // With runs of at least `kept` + 1 pixels: how far the threshold for a change
  // of color is from the middle. A change brings several pixels of the other
  // color instead of one, so it must come later. At twice the distance, middle
  // tones would become rows of one color. If a share of each error is dropped,
  // light and dark tones would never reach such a threshold.
  constexpr int margin(int kept) const {
    return weights[kNobody] > 0 ? 0 : 128 * kept;
  }

  constexpr int Sum(size_t first, size_t end) const {
    int sum = 0;
    for (size_t i = first; i < end; ++i) sum += weights[i];
    return sum;
  }
  constexpr bool IsSound() const {
    const int aside = Sum(0, kBelow);
    const int most_error = (kWhite + kMaxErrorSum + 2) * of / (of - aside) + 1;
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

// Precondition: the algorithm has a kernel.
constexpr const ClassicKernel& ClassicKernelOf(Algorithm algorithm) {
  const ClassicKernel* kernel = kClassicKernels;
  while (kernel->algorithm != algorithm) ++kernel;
  return *kernel;
}

}  // namespace halftoned
