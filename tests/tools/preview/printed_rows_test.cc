// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product's print against the simulated laser of the benches, which
// computes its prints in another way (laser_model.h), and the view of it.

#include "preview/printed_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bench/tone/flat_page.h"
#include "bench/tone/laser_model.h"
#include "halftone/look/halftone_type.h"
#include "preview/reading_view.h"

namespace halftoned {
namespace {

constexpr int32_t kSide = 160;

std::vector<std::byte> Packed(const std::vector<bool>& black, int32_t row) {
  std::vector<std::byte> bits((kSide + 7) / 8);
  for (int32_t x = 0; x < kSide; ++x) {
    if (!black[static_cast<size_t>(row) * kSide + x]) {
      bits[x / 8] |= static_cast<std::byte>(128 >> x % 8);
    }
  }
  return bits;
}

// The mean light in the middle of a flat page.
double PrintedLightOf(const Recipe& recipe, uint8_t sample, int dots_per_inch,
                      int parts) {
  const auto black = bench::BlackPixels(recipe, sample, kSide);
  double sum = 0;
  int count = 0;
  int row = 0;
  PrintedRows print(
      kSide, {double(dots_per_inch), double(dots_per_inch), parts, parts},
      Levels::ForCount(2), [&](std::span<const float> light) {
        const int dot = row++ / parts;
        if (dot < 48 || dot >= kSide - 16) return;
        for (int x = 48 * parts; x < (kSide - 16) * parts; ++x) {
          sum += double(light[x]);
          ++count;
        }
      });
  for (int32_t y = 0; y < kSide; ++y) print.Add(Packed(black, y).data());
  print.Finish();
  EXPECT_EQ(row, kSide * parts);
  return sum / count;
}

TEST(PrintedRows, HaveTheLightOfTheSimulatedLaser) {
  struct {
    Algorithm algorithm;
    int dots_per_inch;
    int parts;
  } const kCases[] = {{Algorithm::kFine, 300, 4},
                      {Algorithm::kFine, 600, 2},
                      {Algorithm::kClustered, 600, 2},
                      {Algorithm::kFine, 1200, 1},
                      {Algorithm::kFine, 600, 8}};
  for (const auto& [algorithm, dots_per_inch, parts] : kCases) {
    const Recipe recipe = *Recipe::Make(*PartsOf({.algorithm = algorithm}, 2));
    for (const uint8_t sample : {0, 30, 70, 128, 190, 230, 255}) {
      const double expected = bench::LightOfLaser(
          recipe, sample, bench::kTypicalLaser, dots_per_inch);
      EXPECT_NEAR(PrintedLightOf(recipe, sample, dots_per_inch, parts),
                  expected, 0.012)
          << int{sample} << " in " << dots_per_inch;
    }
  }
}

TEST(PrintedRows, TakeAllLevelsAsInk) {
  const Levels levels = Levels::ForCount(4);
  std::vector<float> light;
  PrintedRows print(16, {600, 600, 2, 2}, levels,
                    [&](std::span<const float> row) {
                      light.assign(row.begin(), row.end());
                    });
  // Quarters of 0, 1, 2, 3, of 2 bits each; of each, four columns.
  const std::byte row[] = {std::byte{0x00}, std::byte{0x55}, std::byte{0xaa},
                           std::byte{0xff}};
  for (int y = 0; y < 30; ++y) print.Add(row);
  ASSERT_EQ(light.size(), 32U);
  for (size_t i = 8; i + 1 < light.size(); ++i) {
    EXPECT_LE(light[i], light[i + 1] + 1e-6F) << i;
  }
  EXPECT_LT(light[4], 0.1);
  EXPECT_GT(light[30], 0.9);
}

TEST(ReadingView, KeepsSolidBlackPaperAndTheSizeOfThePage) {
  for (const double light : {1.0, LightOfSolidBlack()}) {
    ReadingView view(2400, 1200, 1200, 1200, ToneCurve());
    const std::vector<float> row(2400, static_cast<float>(light));
    for (int y = 0; y < 1200; ++y) view.Add(row);
    const GrayPicture picture = view.Picture();
    EXPECT_EQ(picture.width, 300);
    EXPECT_EQ(picture.height, 150);
    EXPECT_EQ(picture.At(150, 75), CodeOfLight(light));
    // Beyond the page there is paper.
    EXPECT_GE(picture.At(0, 0), picture.At(150, 75));
  }
  EXPECT_EQ(CodeOfLight(1), 255);
  EXPECT_NEAR(CodeOfLight(LightOfSolidBlack()), 50, 1);
}

TEST(ReadingView, HidesFineDotsAndShowsCoarseOnes) {
  const auto contrast = [](int dot) {
    ReadingView view(1200, 600, 1200, 1200, ToneCurve());
    std::vector<float> row(1200);
    for (int x = 0; x < 1200; ++x) row[x] = x / dot % 2 == 0 ? 1.0F : 0.2F;
    for (int y = 0; y < 600; ++y) view.Add(row);
    const GrayPicture picture = view.Picture();
    uint8_t least = 255, most = 0;
    for (int x = 20; x < 130; ++x) {
      least = std::min(least, picture.At(x, 37));
      most = std::max(most, picture.At(x, 37));
    }
    return most - least;
  };
  EXPECT_LE(contrast(2), 1);
  EXPECT_GT(contrast(60), 80);
}

TEST(ReadingView, TurnsLightBetweenBlackAndPaper) {
  ToneCurve::Table table;
  for (int i = 0; i <= kWhite; ++i) {
    table[i] = static_cast<uint16_t>(i * i / kWhite);
  }
  const ToneCurve square = *ToneCurve::FromTable(table);
  const double black = LightOfSolidBlack();
  EXPECT_NEAR(LightThrough(square, 1), 1, 1e-9);
  EXPECT_NEAR(LightThrough(square, black), black, 1e-9);
  EXPECT_NEAR(LightThrough(square, black + (1 - black) / 2),
              black + (1 - black) / 4, 1e-3);
}

}  // namespace
}  // namespace halftoned
