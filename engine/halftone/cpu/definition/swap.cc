// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of `best`, as docs/reference/bits.md defines it: a row of
// blocks, in which dots are moved by one pixel wherever that makes the seen
// error smaller.

#include "halftone/cpu/swap.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace halftoned {
namespace {

// Rows are counted from that of the kernel's reach above the blocks.
constexpr int kBlocksFirst = kBestReach;
constexpr int kBlocksEnd = kBlocksFirst + kBestBlock;

struct Neighbour {
  int down;
  int right;
};
// The neighbours, in their order.
constexpr Neighbour kNeighbours[] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1},
                                     {0, 1},   {1, -1}, {1, 0},  {1, 1}};

class BlockRow {
 public:
  explicit BlockRow(const SwapRows& rows)
      : rows_(rows),
        kernel_(kBestKernels[static_cast<size_t>(rows.sweep)]),
        stride_(static_cast<size_t>(rows.width) + 2 * kBestReach),
        sums_(stride_ * kBestBlock) {}

  void Run() {
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

 private:
  bool HasGray() const {
    for (int i = kBlocksFirst; i < kBlocksEnd; ++i) {
      for (int32_t j = 0; j < rows_.width; ++j) {
        if (IsGray(i, j)) return true;
      }
    }
    return false;
  }
  bool IsGray(int i, int32_t j) const {
    return BitAt(rows_.gray[static_cast<size_t>(i - kBlocksFirst)], j);
  }
  bool IsWhite(int i, int32_t j) const {
    return BitAt(rows_.bits[static_cast<size_t>(i)], j);
  }
  int ErrorAt(int i, int32_t j) const {
    return (IsWhite(i, j) ? 255 : 0) - rows_.tones[static_cast<size_t>(i)][j];
  }
  int& SumAt(int i, int32_t j) {
    return sums_[static_cast<size_t>(i - kBlocksFirst) * stride_ +
                 static_cast<size_t>(j + kBestReach)];
  }

  // Adds what an error counts to the sums around it.
  void AddError(int i, int32_t j, int error) {
    const int end = std::min(i + kBestReach + 1, kBlocksEnd);
    for (int k = std::max(i - kBestReach, kBlocksFirst); k < end; ++k) {
      for (int right = -kBestReach; right <= kBestReach; ++right) {
        SumAt(k, j + right) += KernelAt(k - i, right) * error;
      }
    }
  }
  void AddAllErrors() {
    for (int i = 0; i < SwapRows::kRows; ++i) {
      for (int32_t j = 0; j < rows_.width; ++j) {
        const int error = ErrorAt(i, j);
        if (error != 0) AddError(i, j, error);
      }
    }
  }

  void SwapInBlock(int32_t first, int32_t end) {
    for (int i = kBlocksFirst; i < kBlocksEnd; ++i) {
      for (int32_t j = first; j < end; ++j) {
        if (!IsGray(i, j)) continue;
        const Neighbour* best = nullptr;
        int least = 0;
        for (const Neighbour& step : kNeighbours) {
          const int k = i + step.down;
          const int32_t l = j + step.right;
          if (k < kBlocksFirst || k >= kBlocksEnd || l < first || l >= end)
            continue;
          if (!IsGray(k, l) || IsWhite(k, l) == IsWhite(i, j)) continue;
          const int change = ChangeOfSwap(i, j, step);
          if (change >= least) continue;
          least = change;
          best = &step;
        }
        if (best) Swap(i, j, *best);
      }
    }
  }

  // Of the sum of squares, divided by 510.
  int ChangeOfSwap(int i, int32_t j, const Neighbour& step) {
    const int apart = SumAt(i, j) - SumAt(i + step.down, j + step.right);
    return 255 * (KernelAt(0, 0) - KernelAt(step.down, step.right)) +
           (IsWhite(i, j) ? -apart : apart);
  }

  void Swap(int i, int32_t j, const Neighbour& step) {
    const int change = IsWhite(i, j) ? -255 : 255;
    for (const Neighbour& at : {Neighbour{0, 0}, step}) {
      const int32_t column = j + at.right;
      rows_.bits[static_cast<size_t>(i + at.down)][column / 8] ^=
          static_cast<std::byte>(0x80 >> column % 8);
    }
    AddError(i, j, change);
    AddError(i + step.down, j + step.right, -change);
  }

  int KernelAt(int rows, int columns) const {
    return kernel_[static_cast<size_t>(std::abs(rows))]
                  [static_cast<size_t>(std::abs(columns))];
  }

  const SwapRows& rows_;
  const BestKernel& kernel_;
  const size_t stride_;
  std::vector<int> sums_;
};

}  // namespace

void SwapByDefinition(const SwapRows& rows) { BlockRow(rows).Run(); }

}  // namespace halftoned
