// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Minimum quality of `fine`: compared with Floyd–Steinberg's bits of the same
// gray, made in the same run, it is closer to that gray, light tints begin at
// once, and thin gray lines stay. The bits are the definition's, which all
// engines give; bench/peers/judge.py measures the quality itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "halftone/cpu/scalar.h"
#include "halftone/page/recipe.h"

namespace halftoned {
namespace {

constexpr int32_t kSide = 384;

// Row by row, 0 … 255.
using Plane = std::vector<float>;

size_t At(int32_t row, int32_t column) {
  return static_cast<size_t>(row) * kSide + static_cast<size_t>(column);
}

// gray: of a function of row and column.
template <typename Function>
Plane Draw(const Function& gray) {
  Plane plane(size_t{kSide} * kSide);
  for (int32_t row = 0; row < kSide; ++row) {
    for (int32_t column = 0; column < kSide; ++column) {
      plane[At(row, column)] = std::clamp(
          std::round(static_cast<float>(gray(row, column))), 0.0F, 255.0F);
    }
  }
  return plane;
}

Plane Flat(int tone) {
  return Draw([&](int32_t, int32_t) { return tone; });
}

Plane Ramp() {
  return Draw([](int32_t row, int32_t) { return 255.0 * row / (kSide - 1); });
}

// Smooth shapes with grain.
Plane Scene() {
  std::minstd_rand chance(1);
  std::uniform_real_distribution<double> grain(-5, 5);
  return Draw([&](int32_t row, int32_t column) {
    const double y = static_cast<double>(row) / kSide;
    const double x = static_cast<double>(column) / kSide;
    return 128 + 60 * std::sin(7 * x + 3 * std::sin(5 * y)) +
           55 * std::cos(11 * y - 2 * std::cos(3 * x)) + grain(chance);
  });
}

// White paper with a line one pixel wide.
constexpr int32_t kLineAt = 100;
Plane Line(int tone, bool across) {
  return Draw([&](int32_t row, int32_t column) {
    return (across ? row : column) == kLineAt ? tone : 255;
  });
}

Plane Printed(const Recipe& recipe, const Plane& gray) {
  const Page page = *Page::Make(kSide, 8);
  std::vector<std::byte> samples;
  for (const float light : gray) {
    samples.push_back(static_cast<std::byte>(light));
  }
  const size_t line = recipe.bit_bytes_per_row(kSide);
  std::vector<std::byte> bits(line * kSide);
  Carry carry = Carry::AtStart(recipe, page);
  HalftoneByDefinition({.page = page,
                        .recipe = recipe,
                        .gray = {samples.data(), kSide, kSide},
                        .bits = {bits.data(), line, kSide},
                        .carry = carry});
  const int depth = recipe.levels().bits_per_sample;
  const int white = (1 << depth) - 1;
  return Draw([&](int32_t row, int32_t column) {
    const int32_t bit = column * depth;
    const auto byte = static_cast<int>(
        bits[static_cast<size_t>(row) * line + static_cast<size_t>(bit / 8)]);
    return 255.0 * (byte >> (8 - depth - bit % 8) & white) / white;
  });
}

constexpr int kReach = 8;

std::array<float, 2 * kReach + 1> Gaussian(double sigma) {
  std::array<float, 2 * kReach + 1> weights;
  for (int k = -kReach; k <= kReach; ++k) {
    weights[static_cast<size_t>(k + kReach)] =
        static_cast<float>(std::exp(-k * k / (2 * sigma * sigma)) /
                           (sigma * std::sqrt(2 * std::numbers::pi)));
  }
  return weights;
}

// As the eye sees it: a Gaussian of 2 pixels, along the rows and transposed;
// the page is mirrored at its edges.
Plane SeenAcross(const Plane& plane) {
  static const auto weights = Gaussian(2);
  Plane seen(plane.size());
  for (int32_t row = 0; row < kSide; ++row) {
    for (int32_t column = 0; column < kSide; ++column) {
      float sum = 0;
      for (int k = -kReach; k <= kReach; ++k) {
        const int32_t there = std::abs(column + k);
        sum += weights[static_cast<size_t>(k + kReach)] *
               plane[At(row, std::min(there, 2 * kSide - 2 - there))];
      }
      seen[At(column, row)] = sum;
    }
  }
  return seen;
}

// In decibels.
double Nearness(const Plane& printed, const Plane& gray) {
  Plane difference(gray.size());
  std::transform(printed.begin(), printed.end(), gray.begin(),
                 difference.begin(), std::minus<>());
  const Plane seen = SeenAcross(SeenAcross(difference));
  const double square =
      std::inner_product(seen.begin(), seen.end(), seen.begin(), 0.0);
  return 10 * std::log10(255 * 255 * static_cast<double>(seen.size()) / square);
}

double NearnessOf(const Recipe& recipe, const Plane& gray) {
  return Nearness(Printed(recipe, gray), gray);
}

// Rows, or columns, from the page's edge on until a flat page has half of the
// dots that it should have, and from then on keeps them.
int32_t LateDots(const Plane& printed, int tone, bool columns) {
  const float rare = tone < 128 ? 255 : 0;
  const double wanted = std::min(tone, 255 - tone) / 255.0;
  int32_t late = 0;
  double dots = 0;
  for (int32_t i = 0; i < kSide; ++i) {
    for (int32_t j = 0; j < kSide; ++j) {
      dots += printed[columns ? At(j, i) : At(i, j)] == rare ? 1 : 0;
    }
    if (dots < wanted / 2 * (i + 1) * kSide) late = i + 1;
  }
  return late;
}

// The ink within two pixels of a line.
double InkOfLine(const Recipe& recipe, int tone, bool across) {
  const Plane printed = Printed(recipe, Line(tone, across));
  double ink = 0;
  for (int32_t off = -2; off <= 2; ++off) {
    for (int32_t along = 0; along < kSide; ++along) {
      ink +=
          255 -
          printed[across ? At(kLineAt + off, along) : At(along, kLineAt + off)];
    }
  }
  return ink / (kSide * (255.0 - tone));
}

const Recipe& Fine() {
  static const Recipe recipe = Recipe::Fine();
  return recipe;
}

const Recipe& Plain() {
  static const Recipe recipe = Recipe::FloydSteinberg();
  return recipe;
}

// At a third of white the pattern of Floyd–Steinberg is periodic, and a little
// closer.
TEST(Quality, FineIsNearerToTints) {
  double gained = 0;
  int tints = 0;
  for (int tone = 3; tone < 255; tone += 9, ++tints) {
    const double more =
        NearnessOf(Fine(), Flat(tone)) - NearnessOf(Plain(), Flat(tone));
    EXPECT_GT(more, tone < 48 || tone > 207 ? 1.5 : -1.0) << tone;
    gained += more;
  }
  EXPECT_GT(gained / tints, 2.5);
}

TEST(Quality, FineIsNearerToScenesAndRamps) {
  for (const Plane& gray : {Scene(), Ramp()}) {
    EXPECT_GT(NearnessOf(Fine(), gray), NearnessOf(Plain(), gray) + 1.5);
  }
}

double MeanOf(const Plane& plane) {
  return std::accumulate(plane.begin(), plane.end(), 0.0) /
         static_cast<double>(plane.size());
}

class QualityOfLevels : public ::testing::TestWithParam<int> {
 protected:
  bool IsLevel(int tone) const { return tone % (255 / (GetParam() - 1)) == 0; }

  const Recipe fine_ = Recipe::Fine(GetParam());
  const Recipe plain_ = Recipe::FloydSteinberg(GetParam());
};

TEST_P(QualityOfLevels, FineIsNearerToTints) {
  double gained = 0;
  int tints = 0;
  for (int tone = 3; tone < 255; tone += 18) {
    if (IsLevel(tone)) continue;
    const Plane gray = Flat(tone);
    gained += NearnessOf(fine_, gray) - NearnessOf(plain_, gray);
    ++tints;
  }
  EXPECT_GT(gained / tints, 2.5);
}

TEST_P(QualityOfLevels, FineIsNearerToScenesAndRamps) {
  for (const Plane& gray : {Scene(), Ramp()}) {
    EXPECT_GT(NearnessOf(fine_, gray), NearnessOf(plain_, gray) + 2);
  }
}

TEST_P(QualityOfLevels, TintsKeepTheirToneAndLevelsStayFlat) {
  for (int tone = 4; tone < 255; tone += 6) {
    EXPECT_NEAR(MeanOf(Printed(fine_, Flat(tone))), tone, 0.1);
  }
  for (int tone = 0; tone <= 255; ++tone) {
    if (!IsLevel(tone)) continue;
    EXPECT_EQ(Printed(fine_, Flat(tone)), Flat(tone));
  }
}

// Next to a tone that is a level, tints are as even as anywhere.
TEST_P(QualityOfLevels, TintsAroundALevelBeginAtOnce) {
  const int level = 255 / (GetParam() - 1);
  for (const int tone : {level - 1, level + 1}) {
    const Plane printed = Printed(fine_, Flat(tone));
    EXPECT_NE(std::find_if(
                  printed.begin(), printed.begin() + kSide,
                  [&](float dot) { return dot != static_cast<float>(level); }),
              printed.begin() + kSide)
        << tone;
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, QualityOfLevels, ::testing::Values(4, 16));

TEST(Quality, LightTintsBeginAtOnce) {
  for (const int tone : {5, 16, 239, 250}) {
    const Plane fine = Printed(Fine(), Flat(tone));
    const Plane plain = Printed(Plain(), Flat(tone));
    for (const bool columns : {false, true}) {
      const int32_t late = LateDots(fine, tone, columns);
      EXPECT_LE(late, 4) << tone;
      EXPECT_LT(2 * late, LateDots(plain, tone, columns)) << tone;
    }
  }
  // The lightest one has a dot on 255 pixels, and the first in its first row.
  for (const int tone : {1, 254}) {
    const Plane fine = Printed(Fine(), Flat(tone));
    EXPECT_NE(std::find(fine.begin(), fine.begin() + kSide,
                        tone == 1 ? 255.0F : 0.0F),
              fine.begin() + kSide);
  }
}

TEST(Quality, TintsKeepTheirTone) {
  for (int tone = 4; tone < 255; tone += 6) {
    const Plane fine = Printed(Fine(), Flat(tone));
    EXPECT_NEAR(MeanOf(fine), tone, 0.1);
  }
}

TEST(Quality, ThinGrayLinesStay) {
  for (const bool across : {false, true}) {
    for (const int tone : {128, 200, 230}) {
      const double ink = InkOfLine(Fine(), tone, across);
      EXPECT_GT(ink, 0.75) << tone;
      EXPECT_LT(ink, 1.3) << tone;
    }
    EXPECT_LT(InkOfLine(Plain(), 230, across), 0.1);
  }
}

}  // namespace
}  // namespace halftoned
