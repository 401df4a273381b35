// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the two sweeps of `best`: how much a pair of errors counts, by
// their distance in rows and columns. docs/reference/bits.md says how they are
// used, and bench/tone/best_kernel.py made them.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace halftoned {

inline constexpr int kBestReach = 8;  // rows and columns each way

// By rows and columns, 0 … kBestReach of each.
using BestKernel =
    std::array<std::array<int16_t, kBestReach + 1>, kBestReach + 1>;

inline constexpr int kBestSweeps = 2;
inline constexpr std::array<BestKernel, kBestSweeps> kBestKernels = {{
    // clang-format off
    {{
        {1024, 888, 586, 304, 126, 39, 4, -6, -4},
        {888, 771, 513, 268, 111, 33, 3, -6, -4},
        {586, 513, 346, 184, 76, 21, -1, -6, -3},
        {304, 268, 184, 98, 39, 8, -4, -5, -2},
        {126, 111, 76, 39, 12, -2, -6, -4, -1},
        {39, 33, 21, 8, -2, -6, -4, -2, 0},
        {4, 3, -1, -4, -6, -4, -2, -1, 0},
        {-6, -6, -6, -5, -4, -2, -1, 0, 0},
        {-4, -4, -3, -2, -1, 0, 0, 0, 0},
    }},
    {{
        {1024, 915, 663, 406, 217, 102, 42, 14, 2},
        {915, 819, 599, 370, 199, 94, 38, 12, 2},
        {663, 599, 446, 282, 155, 74, 30, 9, 1},
        {406, 370, 282, 183, 102, 49, 20, 5, 0},
        {217, 199, 155, 102, 58, 28, 10, 2, 0},
        {102, 94, 74, 49, 28, 12, 3, 0, 0},
        {42, 38, 30, 20, 10, 3, 1, 0, 0},
        {14, 12, 9, 5, 2, 0, 0, 0, 0},
        {2, 2, 1, 0, 0, 0, 0, 0, 0},
    }},
    // clang-format on
}};

// No sum of a sweep exceeds 255 times this.
constexpr int BestKernelSum(const BestKernel& kernel) {
  int sum = 0;
  for (int i = -kBestReach; i <= kBestReach; ++i) {
    for (int j = -kBestReach; j <= kBestReach; ++j) {
      const int part = kernel[static_cast<size_t>(i < 0 ? -i : i)]
                             [static_cast<size_t>(j < 0 ? -j : j)];
      sum += part < 0 ? -part : part;
    }
  }
  return sum;
}
static_assert(255 * BestKernelSum(kBestKernels[0]) < 1 << 24 &&
                  255 * BestKernelSum(kBestKernels[1]) < 1 << 24,
              "floats add them exactly");

}  // namespace halftoned
