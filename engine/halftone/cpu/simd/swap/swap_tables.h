// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lookup tables for the vectors of the second pass of `best`.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/page/best_table.h"

namespace halftoned::simd {

template <int sweep>
constexpr int SwapKernelAt(int rows, int columns) {
  const int i = rows < 0 ? -rows : rows;
  const int j = columns < 0 ? -columns : columns;
  if (i > kBestReach || j > kBestReach) return 0;
  return kBestKernels[sweep][static_cast<size_t>(i)][static_cast<size_t>(j)];
}

// Pairs of columns at a distance of 0 and 1, 2 and 3 …
inline constexpr int kTermPairs = kBestReach / 2 + 1;

// The pairs of a row of the kernel that are not 0.
template <int sweep>
constexpr int PairsOf(int row) {
  int pairs = kTermPairs;
  while (pairs > 1 && SwapKernelAt<sweep>(row, 2 * pairs - 2) == 0 &&
         SwapKernelAt<sweep>(row, 2 * pairs - 1) == 0) {
    --pairs;
  }
  return pairs;
}

// Weights of a pair, the first in the lower half.
struct PairWeights {
  int32_t of[kBestReach + 1][kTermPairs];
};
template <int sweep>
inline constexpr PairWeights kPairWeights = [] {
  PairWeights weights{};
  for (int i = 0; i <= kBestReach; ++i) {
    for (int k = 0; k < kTermPairs; ++k) {
      weights.of[i][k] = (SwapKernelAt<sweep>(i, 2 * k) & 0xffff) +
                         SwapKernelAt<sweep>(i, 2 * k + 1) * 65536;
    }
  }
  return weights;
}();

// 255 times the kernel, with zeros around it: rows of 8 blocks and columns from
// a block to the one beside it.
struct SwapKernelTable {
  static constexpr int kRows = 7;
  static constexpr int kBefore = 16;
  static constexpr int kColumns = 40;

  // The numbers from this distance on, for eight columns.
  const int32_t* At(int rows, int columns) const {
    return of[rows + kRows] + columns + kBefore;
  }

  int32_t of[2 * kRows + 1][kColumns];
};
template <int sweep>
inline constexpr SwapKernelTable kSwapKernel = [] {
  SwapKernelTable table{};
  for (int i = 0; i <= 2 * SwapKernelTable::kRows; ++i) {
    for (int j = 0; j < SwapKernelTable::kColumns; ++j) {
      table.of[i][j] = 255 * SwapKernelAt<sweep>(i - SwapKernelTable::kRows,
                                                 j - SwapKernelTable::kBefore);
    }
  }
  return table;
}();

// What a swap costs if nothing else is near.
template <int sweep>
inline constexpr int32_t kStraightCost = 255 * (SwapKernelAt<sweep>(0, 0) -
                                                SwapKernelAt<sweep>(0, 1));
template <int sweep>
inline constexpr int32_t kAcrossCost = 255 * (SwapKernelAt<sweep>(0, 0) -
                                              SwapKernelAt<sweep>(1, 1));

// The neighbors, in their order.
struct SwapStep {
  int down;
  int right;
  int32_t cost;
};
template <int sweep>
inline constexpr SwapStep kSwapSteps[] = {
    {-1, -1, kAcrossCost<sweep>}, {-1, 0, kStraightCost<sweep>},
    {-1, 1, kAcrossCost<sweep>},  {0, -1, kStraightCost<sweep>},
    {0, 1, kStraightCost<sweep>}, {1, -1, kAcrossCost<sweep>},
    {1, 0, kStraightCost<sweep>}, {1, 1, kAcrossCost<sweep>}};

// The columns of a block's row.
struct ColumnBits {
  alignas(32) int32_t of[8];
};
inline constexpr ColumnBits kColumnBits = {{1, 2, 4, 8, 16, 32, 64, 128}};

// The bytes of 64 columns, as 16-bit numbers: where the byte of a column's bit
// is in a little-endian word of 64 bits, and which bit it is.
struct ColumnBytes {
  alignas(64) uint8_t of[2 * 64];
};
inline constexpr ColumnBytes kByteOfColumn = [] {
  ColumnBytes bytes{};
  for (size_t j = 0; j < 64; ++j) {
    bytes.of[2 * j] = bytes.of[2 * j + 1] = static_cast<uint8_t>(7 - j / 8);
  }
  return bytes;
}();
inline constexpr ColumnBytes kBitOfColumn = [] {
  ColumnBytes bits{};
  for (size_t j = 0; j < 64; ++j) {
    bits.of[2 * j] = static_cast<uint8_t>(0x80 >> j % 8);
  }
  return bits;
}();

}  // namespace halftoned::simd
