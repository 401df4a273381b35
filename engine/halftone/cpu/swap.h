// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unit of work of the second pass of `best`: a row of blocks in one sweep,
// which docs/reference/bits.md defines. Rows of blocks of the same sweep that
// are 16 rows apart are independent, so threads can process them at the same
// time.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "halftone/page/best_carry.h"
#include "halftone/page/best_paper_table.h"
#include "halftone/page/best_table.h"

namespace halftoned {

// A bit of a packed row.
inline bool BitAt(const std::byte* row, int32_t column) {
  return (std::to_integer<int>(row[column / 8]) >> (7 - column % 8) & 1) != 0;
}

// The rows of the blocks, and as many around them as the kernel reaches. Bits
// are packed, the first in the most significant one; all rows are 0 outside the
// page, and can be read kPad bytes beyond it on both sides.
struct SwapRows {
  static constexpr int kRows = kBestBlock + 2 * kBestReach;
  static constexpr size_t kPad = 64;

  int32_t width;
  int32_t shift;  // the first column of an even block: 0 … 7
  int sweep;      // 0 or 1
  std::array<const uint8_t*, kRows> tones;
  std::array<std::byte*, kRows> bits;  // those of the blocks are changed
  // The gray pixels of the blocks' rows: 1 where a pixel is gray.
  std::array<const std::byte*, kBestBlock> gray;
  // With print feedback; null: without.
  const PaperTable* paper = nullptr;
};

// Swaps bits in the blocks of even columns, and then in the others. Works on
// the calling thread.
using SwapKernel = void (*)(const SwapRows& rows);

// The definition (definition/swap.cc), and that with print feedback
// (definition/swap_on_paper.cc).
void SwapByDefinition(const SwapRows& rows);
void SwapOnPaperByDefinition(const SwapRows& rows);

}  // namespace halftoned
