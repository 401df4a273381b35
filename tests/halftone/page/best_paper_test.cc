// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bounds of the numbers of `best` with print feedback.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>

#include "halftone/page/best_paper_table.h"
#include "halftone/page/recipe.h"

namespace halftoned {
namespace {

TEST(BestOnPaper, NumbersOfWindowsFitThirtyTwoBits) {
  int most = 0;  // that a swap changes a window's light by
  for (int strength = 0; strength <= kFullFeedback; ++strength) {
    const PaperTable table = PaperTable::Of(strength);
    EXPECT_EQ(table.light.front(), 0);
    EXPECT_EQ(table.light.back(), kPaperWhite);
    EXPECT_EQ(table.aim.front(), 0);
    EXPECT_EQ(table.aim.back(), kPaperWhite);
    EXPECT_TRUE(std::ranges::is_sorted(table.aim));
    for (size_t a = 0; a < table.light.size(); ++a) {
      EXPECT_GE(table.light[a], 0);
      EXPECT_LE(table.light[a], kPaperWhite);
      for (size_t b = 0; b < table.light.size(); ++b) {
        if (std::popcount(a ^ b) > 2) continue;
        most = std::max(most, std::abs(table.light[a] - table.light[b]));
      }
    }
  }
  constexpr int kWindows = 7;
  for (const PaperKernel& kernel : kPaperKernels) {
    int64_t sum = 0;
    for (int i = -kPaperReach; i <= kPaperReach; ++i) {
      for (int j = -kPaperReach; j <= kPaperReach; ++j) {
        sum += std::abs(PaperKernelAt(kernel, i, j));
      }
    }
    const int64_t seen = (sum * kPaperWhite >> kPaperShift) + 1;
    const int64_t square =
        int64_t{kWindows * most} * (kWindows * most) * kernel[0][0];
    EXPECT_LE(2 * kWindows * most * seen + (square >> kPaperShift),
              std::numeric_limits<int32_t>::max());
  }
}

// Whether the kernels between windows, of 3 x 3 places, have a root.
bool HasRoot(const PaperKernel& kernel, std::span<const int> places) {
  double root[9][9] = {};
  for (size_t m = 0; m < places.size(); ++m) {
    for (size_t n = 0; n <= m; ++n) {
      const int a = places[m];
      const int b = places[n];
      double rest = PaperKernelAt(kernel, a / 3 - b / 3, a % 3 - b % 3);
      for (size_t k = 0; k < n; ++k) rest -= root[m][k] * root[n][k];
      if (m == n && rest < 0.1) return false;
      root[m][n] = m == n ? std::sqrt(rest) : rest / root[n][n];
    }
  }
  return true;
}

// So nobody need compute the square of a swap that gains nothing without it.
TEST(BestOnPaper, TheSquareOfASwapIsNeverBelowZero) {
  constexpr int kBeside[] = {0, 1, 2, 3, 4, 5};
  constexpr int kAcross[] = {0, 1, 3, 4, 5, 7, 8};
  for (const PaperKernel& kernel : kPaperKernels) {
    EXPECT_TRUE(HasRoot(kernel, kBeside));
    EXPECT_TRUE(HasRoot(kernel, kAcross));
  }
}

}  // namespace
}  // namespace halftoned
