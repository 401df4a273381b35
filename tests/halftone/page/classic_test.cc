// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "halftone/cpu/classic_table.h"
#include "halftone/page/recipe.h"
#include "tests/equality/oracle.h"
#include "tests/equality/pages.h"

namespace halftoned::testing {
namespace {

// The share of white pixels in a page of one tone, 0 … 255. The first rows and
// columns do not count.
double WhiteOf(Algorithm algorithm, int tone) {
  constexpr int32_t kWidth = 512;
  const Page page = *Page::Make(kWidth, 8);
  GrayPage gray{page, 256, {}};
  gray.samples.assign(size_t{256} * kWidth, static_cast<std::byte>(tone));
  const Recipe recipe = *Recipe::Make(Recipe::PartsOf(algorithm));
  const BitPage page_of_bits =
      HalftoneWhole(gray, recipe, Carry::AtStart(recipe, page));
  int white = 0;
  for (size_t row = 64; row < 256; ++row) {
    for (size_t byte = 16; byte < kWidth / 8; ++byte) {
      white += std::popcount(std::to_integer<uint8_t>(
          page_of_bits.bytes[row * page_of_bits.bytes_per_row + byte]));
    }
  }
  return white / (192.0 * (kWidth - 128));
}

TEST(ClassicKernels, KeepTonesButForAtkinson) {
  for (const ClassicKernel& kernel : kClassicKernels) {
    const std::string_view name = FindMethod(kernel.algorithm)->name;
    if (kernel.algorithm == Algorithm::kAtkinson) continue;
    for (const int tone : {16, 64, 100, 127, 180, 200, 240}) {
      EXPECT_NEAR(WhiteOf(kernel.algorithm, tone), tone / 255.0, 1 / 255.0)
          << name << ", " << tone;
    }
  }
}

TEST(ClassicKernels, AtkinsonHasMoreContrast) {
  EXPECT_EQ(WhiteOf(Algorithm::kAtkinson, 8), 0);
  EXPECT_EQ(WhiteOf(Algorithm::kAtkinson, 247), 1);
  EXPECT_LT(WhiteOf(Algorithm::kAtkinson, 64), 0.2);
  EXPECT_NEAR(WhiteOf(Algorithm::kAtkinson, 128), 0.5, 0.02);
  EXPECT_GT(WhiteOf(Algorithm::kAtkinson, 191), 0.8);
}

}  // namespace
}  // namespace halftoned::testing
