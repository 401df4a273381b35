// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/definition/block_row.h"

#include <algorithm>

namespace halftoned {

void BlockRow::Run() {
  if (!HasGray()) return;
  AddAllErrors();
  const int32_t even = rows_.shift;
  const int32_t odd = rows_.shift - kBestBlock;
  for (const int32_t first : {even, odd}) {
    for (int32_t j = first; j < rows_.width; j += 2 * kBestBlock) {
      for (int scan = 0; scan < kBestScans; ++scan) {
        SwapInBlock(std::max(j, 0), std::min(j + kBestBlock, rows_.width));
      }
    }
  }
}

bool BlockRow::HasGray() const {
  for (int i = kBlocksFirst; i < kBlocksEnd; ++i) {
    for (int32_t j = 0; j < rows_.width; ++j) {
      if (IsGray(i, j)) return true;
    }
  }
  return false;
}

void BlockRow::SwapInBlock(int32_t first, int32_t end) {
  for (int i = kBlocksFirst; i < kBlocksEnd; ++i) {
    for (int32_t j = first; j < end; ++j) {
      if (!IsGray(i, j)) continue;
      if (const Neighbour* best = BestOf(i, j, first, end)) Swap(i, j, *best);
    }
  }
}

const BlockRow::Neighbour* BlockRow::BestOf(int i, int32_t j, int32_t first,
                                            int32_t end) {
  // In their order.
  static constexpr Neighbour kNeighbours[] = {
      {-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};
  const Neighbour* best = nullptr;
  int least = 0;
  for (const Neighbour& step : kNeighbours) {
    const int k = i + step.down;
    const int32_t l = j + step.right;
    if (k < kBlocksFirst || k >= kBlocksEnd || l < first || l >= end) continue;
    if (!IsGray(k, l) || IsWhite(k, l) == IsWhite(i, j)) continue;
    const int change = ChangeOfSwap(i, j, step);
    if (change >= least) continue;
    least = change;
    best = &step;
  }
  return best;
}

void BlockRow::FlipBoth(int i, int32_t j, const Neighbour& step) {
  for (const Neighbour& at : {Neighbour{0, 0}, step}) {
    const int32_t column = j + at.right;
    rows_.bits[static_cast<size_t>(i + at.down)][column / 8] ^=
        static_cast<std::byte>(0x80 >> column % 8);
  }
}

}  // namespace halftoned
