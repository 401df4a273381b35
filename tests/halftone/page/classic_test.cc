// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "halftone/cpu/classic_table.h"
#include "halftone/page/recipe.h"
#include "tests/equality/oracle.h"
#include "tests/equality/pages.h"

namespace halftoned::testing {
namespace {

BitPage Halftoned(const GrayPage& gray, Algorithm algorithm, int min_run) {
  Recipe::Parts parts = Recipe::PartsOf(algorithm);
  parts.parameters[Recipe::kKept] = min_run - 1;
  const Recipe recipe = *Recipe::Make(parts);
  return HalftoneWhole(gray, recipe, Carry::AtStart(recipe, gray.page));
}

int MostMinRun(Algorithm algorithm) {
  return FindMethod(algorithm)->parameters[Recipe::kKept].max + 1;
}

// The share of white pixels in a page of one tone, 0 … 255, below its first
// rows.
double WhiteOf(Algorithm algorithm, int tone, int min_run = 1) {
  constexpr int32_t kSide = 512;
  constexpr size_t kFirstRow = 64;
  GrayPage gray{*Page::Make(kSide, 8), kSide, {}};
  gray.samples.assign(size_t{kSide} * kSide, static_cast<std::byte>(tone));
  const BitPage bits = Halftoned(gray, algorithm, min_run);
  int white = 0;
  for (size_t at = kFirstRow * bits.bytes_per_row; at < bits.bytes.size();
       ++at) {
    white += std::popcount(std::to_integer<uint8_t>(bits.bytes[at]));
  }
  return white / ((kSide - double{kFirstRow}) * kSide);
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

TEST(ClassicKernels, KeepTonesInRuns) {
  for (const ClassicKernel& kernel : kClassicKernels) {
    if (kernel.algorithm == Algorithm::kAtkinson) continue;
    for (const int min_run : {2, 3, MostMinRun(kernel.algorithm)}) {
      for (const int tone : {4, 31, 64, 100, 127, 128, 180, 217, 240, 251}) {
        EXPECT_NEAR(WhiteOf(kernel.algorithm, tone, min_run) * 255, tone, 0.5)
            << FindMethod(kernel.algorithm)->name << ", " << min_run;
      }
    }
  }
}

// The shortest run of one color in the rows, those at the ends of rows too.
int32_t ShortestRun(const BitPage& bits, int32_t width, int32_t rows) {
  int32_t shortest = width;
  for (int32_t row = 0; row < rows; ++row) {
    const std::byte* const bytes =
        bits.bytes.data() + static_cast<size_t>(row) * bits.bytes_per_row;
    const auto bit = [&](int32_t column) {
      return std::to_integer<int>(bytes[column / 8] >> (7 - column % 8)) & 1;
    };
    int32_t begin = 0;
    for (int32_t column = 1; column <= width; ++column) {
      if (column < width && bit(column) == bit(column - 1)) continue;
      shortest = std::min(shortest, column - begin);
      begin = column;
    }
  }
  return shortest;
}

TEST(ClassicKernels, HaveNoRunShorterThanTheLeast) {
  const uint64_t seed = FreshSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  constexpr int32_t kRows = 30;
  for (const ClassicKernel& kernel : kClassicKernels) {
    for (int min_run = 2; min_run <= MostMinRun(kernel.algorithm); ++min_run) {
      for (const Content content : kContents) {
        for (const int32_t width :
             {1, min_run - 1, min_run, 2 * min_run - 1, 2 * min_run, 65,
              static_cast<int32_t>(100 + random() % 300)}) {
          const GrayPage gray =
              MakePage(*Page::Make(width, 8), kRows, content, random);
          EXPECT_GE(ShortestRun(Halftoned(gray, kernel.algorithm, min_run),
                                width, kRows),
                    std::min(min_run, width))
              << FindMethod(kernel.algorithm)->name << ", " << min_run << ", "
              << width << " columns of " << NameOf(content);
        }
      }
    }
  }
}

TEST(ClassicKernels, HaveRunsOfEachLengthFromTheLeastOn) {
  const GrayPage gray{*Page::Make(512, 8), 64,
                      std::vector(size_t{64} * 512, std::byte{127})};
  for (const int min_run : {1, 2, 3, 6}) {
    EXPECT_EQ(
        ShortestRun(Halftoned(gray, Algorithm::kJarvis, min_run), 512, 64),
        min_run);
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
