// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of `best` with print feedback.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/page/best_carry.h"
#include "halftone/page/best_paper_table.h"

namespace halftoned::cuda::swap {

constexpr int PaperKernelOf(int sweep, int rows, int columns) {
  return PaperKernelAt(kPaperKernels[static_cast<size_t>(sweep)], rows,
                       columns);
}

// Sums have three parts, since floats would not hold a whole sum exactly: each
// part is added up in floats, and then the parts in integers. The second part
// begins at the first of these rows, and the third at the other one.
inline constexpr int kSecondPart = 0;
inline constexpr int kThirdPart = 2;
constexpr bool IsExact(int sweep, int first_row, int end_row) {
  int sum = 0;
  for (int i = first_row; i < end_row; ++i) {
    for (int j = -kPaperReach; j <= kPaperReach; ++j) {
      const int weight = PaperKernelOf(sweep, i, j);
      sum += weight < 0 ? -weight : weight;
    }
  }
  return sum <= (1 << 24) / kPaperWhite;
}
constexpr bool IsExactInParts(int sweep) {
  return IsExact(sweep, -kPaperReach, kSecondPart) &&
         IsExact(sweep, kSecondPart, kThirdPart) &&
         IsExact(sweep, kThirdPart, kPaperReach + 1);
}
static_assert(IsExactInParts(0) && IsExactInParts(1));

// The kernel by rows and columns apart, of the windows that a swap in a block
// changes from the sums that it reaches.
struct PaperKernelTable {
  static constexpr int kRows = 2 * kBestBlock + 1;
  static constexpr int kMiddle = 2 * kBestBlock - 1;  // column
  static constexpr int kColumns = 40;

  int32_t at[kRows][kColumns];

  static constexpr PaperKernelTable Make(int sweep) {
    PaperKernelTable table{};
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < kColumns; ++j) {
        table.at[i][j] = PaperKernelOf(sweep, i - kBestBlock, j - kMiddle);
      }
    }
    return table;
  }
};

}  // namespace halftoned::cuda::swap
