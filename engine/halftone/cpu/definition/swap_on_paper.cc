// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of `best`, as docs/reference/bits.md defines it with print
// feedback: errors are those of the light of windows of 2 × 2 pixels. A window
// is named by its last pixel, which may lie beyond the page, where all is 0.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "halftone/cpu/definition/block_row.h"

namespace halftoned {
namespace {

class BlockRowOnPaper : public BlockRow {
 public:
  explicit BlockRowOnPaper(const SwapRows& rows)
      : BlockRow(rows),
        paper_(*rows.paper),
        kernel_(kPaperKernels[static_cast<size_t>(rows.sweep)]),
        stride_(static_cast<size_t>(rows.width) + 1 + 2 * kPaperReach),
        sums_(stride_ * (kWindowsEnd - kBlocksFirst)) {}

 private:
  // Windows that a swap in the blocks can change.
  static constexpr int kWindowsEnd = kBlocksEnd + 1;

  struct Change {
    int i;
    int32_t j;
    int light;
  };
  // The windows that a swap changes: up to 3 × 3.
  struct Changes {
    std::array<Change, 9> all;
    size_t count = 0;
  };

  bool IsLight(int i, int32_t j) const {
    return j >= 0 && j < rows().width && IsWhite(i, j);
  }
  bool IsEdge(int i, int32_t j) const {
    const auto [least, most] =
        std::minmax({ToneAt(i, j), ToneAt(i, j - 1), ToneAt(i - 1, j),
                     ToneAt(i - 1, j - 1)});
    return most - least > kPaperEdge;
  }
  int LightAt(int i, int32_t j) const {
    const unsigned bits =
        (IsLight(i, j - 1) ? 1u : 0u) | (IsLight(i - 1, j) ? 2u : 0u) |
        (IsLight(i - 1, j - 1) ? 4u : 0u) | (IsLight(i, j) ? 8u : 0u);
    return IsEdge(i, j) ? PaperTable::LightOfBits(bits) : paper_.light[bits];
  }
  int AimOf(int i, int32_t j, bool is_edge) const {
    const int tone = ToneAt(i, j);
    return is_edge ? 4 * tone : paper_.aim[static_cast<size_t>(tone)];
  }
  int ErrorAt(int i, int32_t j) const {
    const bool is_edge = IsEdge(i, j);
    const int aim = AimOf(i, j, is_edge) + AimOf(i, j - 1, is_edge) +
                    AimOf(i - 1, j, is_edge) + AimOf(i - 1, j - 1, is_edge);
    return LightAt(i, j) - ((aim + 2) >> 2);
  }

  int& SumAt(int i, int32_t j) {
    return sums_[static_cast<size_t>(i - kBlocksFirst) * stride_ +
                 static_cast<size_t>(j + kPaperReach)];
  }
  // Adds an error's contribution to the sums around it.
  void AddError(int i, int32_t j, int error) {
    const int end = std::min(i + kPaperReach + 1, kWindowsEnd);
    for (int k = std::max(i - kPaperReach, kBlocksFirst); k < end; ++k) {
      for (int right = -kPaperReach; right <= kPaperReach; ++right) {
        SumAt(k, j + right) += PaperKernelAt(kernel_, k - i, right) * error;
      }
    }
  }
  void AddAllErrors() override {
    for (int i = 1; i < SwapRows::kRows; ++i) {
      for (int32_t j = 0; j <= rows().width; ++j) {
        const int error = ErrorAt(i, j);
        if (error != 0) AddError(i, j, error);
      }
    }
  }

  // How a swap changes the windows around both pixels. Leaves the bits as they
  // are.
  Changes ChangesOf(int i, int32_t j, const Neighbour& step) {
    Changes changes;
    const int last_row = std::max(i, i + step.down) + 1;
    const int32_t last_column = std::max(j, j + step.right) + 1;
    for (int k = std::min(i, i + step.down); k <= last_row; ++k) {
      for (int32_t l = std::min(j, j + step.right); l <= last_column; ++l) {
        changes.all[changes.count++] = {k, l, -LightAt(k, l)};
      }
    }
    FlipBoth(i, j, step);
    for (size_t n = 0; n < changes.count; ++n) {
      Change& change = changes.all[n];
      change.light += LightAt(change.i, change.j);
    }
    FlipBoth(i, j, step);
    return changes;
  }

  int ChangeOfSwap(int i, int32_t j, const Neighbour& step) override {
    const Changes changes = ChangesOf(i, j, step);
    int linear = 0;
    int64_t square = 0;
    for (size_t n = 0; n < changes.count; ++n) {
      const Change& a = changes.all[n];
      linear += 2 * a.light * (SumAt(a.i, a.j) >> kPaperShift);
      for (size_t m = 0; m < changes.count; ++m) {
        const Change& b = changes.all[m];
        square += int64_t{a.light} * b.light *
                  PaperKernelAt(kernel_, a.i - b.i, a.j - b.j);
      }
    }
    return linear + static_cast<int>(square >> kPaperShift);
  }

  void Swap(int i, int32_t j, const Neighbour& step) override {
    const Changes changes = ChangesOf(i, j, step);
    FlipBoth(i, j, step);
    for (size_t n = 0; n < changes.count; ++n) {
      AddError(changes.all[n].i, changes.all[n].j, changes.all[n].light);
    }
  }

  const PaperTable& paper_;
  const PaperKernel& kernel_;
  const size_t stride_;
  std::vector<int> sums_;
};

}  // namespace

void SwapOnPaperByDefinition(const SwapRows& rows) {
  BlockRowOnPaper(rows).Run();
}

}  // namespace halftoned
