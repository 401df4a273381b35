// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of `best`: how much two errors at a distance of so many rows and
// columns count together. docs/bits.md says how it is used, and
// bench/tone/best_kernel.py made it.

#ifndef HALFTONED_HALFTONE_PAGE_BEST_TABLE_H_
#define HALFTONED_HALFTONE_PAGE_BEST_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace halftoned {

inline constexpr int kBestReach = 8;  // rows and columns each way

// By rows and columns, 0 … kBestReach of each.
inline constexpr std::array<std::array<int16_t, kBestReach + 1>, kBestReach + 1>
    kBestKernel = {{
        // clang-format off
        {1024, 911, 653, 392, 204, 94, 37, 11, 1},
        {911, 813, 587, 356, 187, 86, 33, 10, 1},
        {653, 587, 432, 268, 144, 67, 26, 7, 1},
        {392, 356, 268, 171, 94, 43, 16, 3, 0},
        {204, 187, 144, 94, 52, 24, 8, 1, 0},
        {94, 86, 67, 43, 24, 10, 2, 0, 0},
        {37, 33, 26, 16, 8, 2, 0, 0, 0},
        {11, 10, 7, 3, 1, 0, 0, 0, 0},
        {1, 1, 1, 0, 0, 0, 0, 0, 0},
        // clang-format on
    }};

// Every sum of the second pass: 255 times this at most.
constexpr int BestKernelSum() {
  int sum = 0;
  for (int i = -kBestReach; i <= kBestReach; ++i) {
    for (int j = -kBestReach; j <= kBestReach; ++j) {
      const int part = kBestKernel[static_cast<size_t>(i < 0 ? -i : i)]
                                  [static_cast<size_t>(j < 0 ? -j : j)];
      sum += part < 0 ? -part : part;
    }
  }
  return sum;
}
static_assert(255 * BestKernelSum() < 1 << 24, "floats add them exactly");

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_PAGE_BEST_TABLE_H_
