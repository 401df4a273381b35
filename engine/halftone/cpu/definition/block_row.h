// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search of the second pass of `best`, as docs/reference/bits.md defines
// it: in a row of blocks, dots move by one pixel wherever that reduces the
// visible error. Derived classes define the error and its visible part.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/cpu/swap.h"

namespace halftoned {

class BlockRow {
 public:
  explicit BlockRow(const SwapRows& rows) : rows_(rows) {}
  virtual ~BlockRow() = default;

  void Run();

 protected:
  // Rows are counted from the first row above the blocks that the kernel
  // reaches.
  static constexpr int kBlocksFirst = kBestReach;
  static constexpr int kBlocksEnd = kBlocksFirst + kBestBlock;

  struct Neighbour {
    int down;
    int right;
  };

  // The visible part of all errors.
  virtual void AddAllErrors() = 0;
  // What a swap adds to the sum of squares, except for a factor.
  virtual int ChangeOfSwap(int i, int32_t j, const Neighbour& step) = 0;
  virtual void Swap(int i, int32_t j, const Neighbour& step) = 0;

  const SwapRows& rows() const { return rows_; }
  bool IsWhite(int i, int32_t j) const {
    return BitAt(rows_.bits[static_cast<size_t>(i)], j);
  }
  int ToneAt(int i, int32_t j) const {
    return rows_.tones[static_cast<size_t>(i)][j];
  }
  void FlipBoth(int i, int32_t j, const Neighbour& step);

 private:
  bool HasGray() const;
  bool IsGray(int i, int32_t j) const {
    return BitAt(rows_.gray[static_cast<size_t>(i - kBlocksFirst)], j);
  }
  void SwapInBlock(int32_t first, int32_t end);
  // The neighbor with which a pixel is best swapped; null: with none.
  const Neighbour* BestOf(int i, int32_t j, int32_t first, int32_t end);

  const SwapRows& rows_;
};

}  // namespace halftoned
