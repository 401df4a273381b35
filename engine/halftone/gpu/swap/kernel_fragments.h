// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of `best`, in the format for tensor cores. The sums of a row of a
// block are products of two matrices: the errors of the 24 columns around the
// block, and a row of the kernel, once for each of the block's 8 columns. A
// lane's part of such a matrix is three words of two halves, for each row of
// the kernel.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/lanes.h"
#include "halftone/page/best_carry.h"
#include "halftone/page/best_table.h"

namespace halftoned::cuda::swap {

static_assert(kBestBlock == 8 && kBestReach == 8, "as mma.m16n8 has it");

constexpr int KernelAt(int sweep, int rows, int columns) {
  const int down = rows < 0 ? -rows : rows;
  const int right = columns < 0 ? -columns : columns;
  if (down > kBestReach || right > kBestReach) return 0;
  return kBestKernels[static_cast<size_t>(sweep)][static_cast<size_t>(down)]
                     [static_cast<size_t>(right)];
}

// The smallest difference in p, in a sweep, for which a swap with a neighbor at
// this distance is worthwhile.
constexpr int LeastApart(int sweep, int rows, int columns) {
  return 255 * (KernelAt(sweep, 0, 0) - KernelAt(sweep, rows, columns));
}

// The bits of a half, which holds integers up to 2048 exactly.
constexpr uint32_t HalfOf(int value) {
  if (value == 0) return 0;
  const uint32_t sign = value < 0 ? 0x8000 : 0;
  auto magnitude = static_cast<uint32_t>(value < 0 ? -value : value);
  uint32_t exponent = 15 + 10;
  while (magnitude < 1024) {
    magnitude <<= 1;
    --exponent;
  }
  while (magnitude >= 2048) {
    magnitude >>= 1;
    ++exponent;
  }
  return sign | exponent << 10 | (magnitude & 1023);
}

struct KernelFragments {
  static constexpr int kRows = kBestReach + 1;
  static constexpr int kWords = 3;

  uint32_t word[kRows][kWords][kLanes];

  // The column, of the 24, at which a lane's word begins. The lane has the part
  // of the kernel for the block's column lane / 4.
  static HALFTONED_BOTH constexpr int FirstColumn(int word, int lane) {
    return 8 * word + 2 * (lane % 4);
  }

  // kernel: as KernelAt.
  static constexpr KernelFragments Make(int sweep,
                                        int (*kernel)(int, int, int)) {
    KernelFragments fragments{};
    for (int row = 0; row < kRows; ++row) {
      for (int word = 0; word < kWords; ++word) {
        for (int lane = 0; lane < kLanes; ++lane) {
          const int right = FirstColumn(word, lane) - kBestReach - lane / 4;
          fragments.word[row][word][lane] =
              HalfOf(kernel(sweep, row, right)) |
              HalfOf(kernel(sweep, row, right + 1)) << 16;
        }
      }
    }
    return fragments;
  }
};

// 16 · 255 times the kernel, by rows and columns apart, within a block.
struct KernelOfBlock {
  static constexpr int kSize = 2 * kBestBlock - 1;
  static constexpr int kPitch = 24;  // so that few rows share banks

  int32_t at[kSize][kPitch];

  static constexpr KernelOfBlock Make(int sweep) {
    KernelOfBlock kernel{};
    for (int down = 0; down < kSize; ++down) {
      for (int right = 0; right < kSize; ++right) {
        kernel.at[down][right] =
            16 * 255 *
            KernelAt(sweep, down - kBestBlock + 1, right - kBestBlock + 1);
      }
    }
    return kernel;
  }
};

}  // namespace halftoned::cuda::swap
