// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of `best`, as docs/reference/bits.md defines it without print
// feedback: the error of a pixel is that of its bit.

#include "halftone/cpu/swap.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "halftone/cpu/definition/block_row.h"

namespace halftoned {
namespace {

class BlockRowOfBits : public BlockRow {
 public:
  explicit BlockRowOfBits(const SwapRows& rows)
      : BlockRow(rows),
        kernel_(kBestKernels[static_cast<size_t>(rows.sweep)]),
        stride_(static_cast<size_t>(rows.width) + 2 * kBestReach),
        sums_(stride_ * kBestBlock) {}

 private:
  int ErrorAt(int i, int32_t j) const {
    return (IsWhite(i, j) ? 255 : 0) - ToneAt(i, j);
  }
  int& SumAt(int i, int32_t j) {
    return sums_[static_cast<size_t>(i - kBlocksFirst) * stride_ +
                 static_cast<size_t>(j + kBestReach)];
  }

  // Adds an error's contribution to the sums around it.
  void AddError(int i, int32_t j, int error) {
    const int end = std::min(i + kBestReach + 1, kBlocksEnd);
    for (int k = std::max(i - kBestReach, kBlocksFirst); k < end; ++k) {
      for (int right = -kBestReach; right <= kBestReach; ++right) {
        SumAt(k, j + right) += KernelAt(k - i, right) * error;
      }
    }
  }
  void AddAllErrors() override {
    for (int i = 0; i < SwapRows::kRows; ++i) {
      for (int32_t j = 0; j < rows().width; ++j) {
        const int error = ErrorAt(i, j);
        if (error != 0) AddError(i, j, error);
      }
    }
  }

  // Divided by 510.
  int ChangeOfSwap(int i, int32_t j, const Neighbour& step) override {
    const int apart = SumAt(i, j) - SumAt(i + step.down, j + step.right);
    return 255 * (KernelAt(0, 0) - KernelAt(step.down, step.right)) +
           (IsWhite(i, j) ? -apart : apart);
  }

  void Swap(int i, int32_t j, const Neighbour& step) override {
    const int change = IsWhite(i, j) ? -255 : 255;
    FlipBoth(i, j, step);
    AddError(i, j, change);
    AddError(i + step.down, j + step.right, -change);
  }

  int KernelAt(int rows, int columns) const {
    return kernel_[static_cast<size_t>(std::abs(rows))]
                  [static_cast<size_t>(std::abs(columns))];
  }

  const BestKernel& kernel_;
  const size_t stride_;
  std::vector<int> sums_;
};

}  // namespace

void SwapByDefinition(const SwapRows& rows) {
  if (rows.paper) return SwapOnPaperByDefinition(rows);
  BlockRowOfBits(rows).Run();
}

}  // namespace halftoned
