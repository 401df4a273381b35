// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of the definition, proved where possible and searched for
// elsewhere: bounds of errors and sums, tone, and that collecting errors and
// diffusing them are the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "halftone/cpu/scalar.h"
#include "halftone/page/best_first_table.h"
#include "halftone/page/clustered_table.h"
#include "halftone/page/error_sums.h"
#include "halftone/page/feedback_table.h"
#include "halftone/page/fine_table.h"
#include "halftone/page/print_feedback.h"
#include "halftone/page/recipe.h"
#include "tests/equality/oracle.h"
#include "tests/equality/pages.h"

namespace halftoned {
namespace {

using testing::BitPage;
using testing::Content;
using testing::CurveKind;
using testing::EveryKind;
using testing::FreshSeed;
using testing::GrayPage;
using testing::HalftoneWhole;
using testing::MakeCarry;
using testing::MakeCurve;
using testing::MakePage;
using testing::Random;

constexpr int kLevelCounts[] = {2, 4, 8, 16};

int ErrorAfter(const Levels& levels, int s) {
  int k = 0;
  while (k < levels.count - 1 && s > levels.midpoint[k]) ++k;
  return s - levels.value[k];
}

// Weights that sum to 16 keep the collected part within the bounds of one
// error; so every value with every collected part is every case there is.
TEST(Contract, ErrorsWithinTheirBoundsLeadToErrorsWithinTheirBounds) {
  for (int count : kLevelCounts) {
    const Levels levels = Levels::ForCount(count);
    EXPECT_EQ((16 * levels.min_error + 8) >> 4, levels.min_error);
    EXPECT_EQ((16 * levels.max_error + 8) >> 4, levels.max_error);
    int least = 0;
    int most = 0;
    for (int v = 0; v <= kWhite; ++v) {
      for (int part = levels.min_error; part <= levels.max_error; ++part) {
        const int e = ErrorAfter(levels, v + part);
        least = std::min(least, e);
        most = std::max(most, e);
      }
    }
    EXPECT_EQ(least, levels.min_error);
    EXPECT_EQ(most, levels.max_error);
  }
}

TEST(Contract, WeightedSumsOfTwoLevelsFitSixteenBits) {
  const Levels levels = Levels::ForCount(2);
  EXPECT_LE(16 * levels.max_error + 8, std::numeric_limits<int16_t>::max());
  EXPECT_GE(16 * levels.min_error + 8, std::numeric_limits<int16_t>::min());
}

TEST(Contract, IntervalsCoverTheScaleWithoutGaps) {
  for (int count : kLevelCounts) {
    const Levels levels = Levels::ForCount(count);
    int last = 0;
    for (int v = 0; v <= kWhite; ++v) {
      const Interval at = IntervalOf(v, count);
      ASSERT_TRUE(at.level >= 0 && at.level <= count - 2) << v;
      ASSERT_TRUE(at.value >= 0 && at.value <= kWhite) << v;
      const int scaled = at.level * kWhite + at.value;
      EXPECT_EQ(scaled, v * (count - 1));
      EXPECT_GE(at.level, last);
      last = at.level;
      if (count == 2) {
        EXPECT_EQ(at.value, v);
      }
    }
    // A level is black or white of its interval, and 0 and white of the ends.
    for (int k = 0; k < count; ++k) {
      const Interval at =
          IntervalOf(levels.value[static_cast<size_t>(k)], count);
      const int tone = FineToneOf(at.value);
      EXPECT_EQ(tone == 0 ? at.level : at.level + 1, k);
      EXPECT_TRUE(tone == 0 || tone == 255) << k;
    }
    EXPECT_EQ(IntervalOf(0, count).value, 0);
    EXPECT_EQ(IntervalOf(kWhite, count).value, kWhite);
  }
}

TEST(Contract, CarriesOfPagesKeepTheirBounds) {
  const uint64_t seed = FreshSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (Recipe::Parts parts : EveryKind()) {
    for (Content content : testing::kContents) {
      parts.curve = MakeCurve(CurveKind::kAnything, random);
      const Recipe recipe = *Recipe::Make(parts);
      const Page page = *Page::Make(257, 8);
      Carry carry = MakeCarry(recipe, page, random);
      for (int row = 0; row < 20; ++row) {
        const GrayPage gray = MakePage(page, 1, content, random);
        carry = HalftoneWhole(gray, recipe, carry).below;
        ASSERT_TRUE(
            carry.CheckFor(recipe, page.StartingAt(carry.next_row())).ok());
        carry.set_next_row(0);
      }
    }
  }
}

// The largest numbers in a recipe of spread errors, for weights in 256ths and a
// clamp: increased until they no longer change.
struct Largest {
  double error = 0;     // of one pixel
  double right = 0;     // received from the left
  double down[4] = {};  // received on each of the four ways down
  double sum() const { return down[0] + down[1] + down[2] + down[3]; }
};

// taken: beside a pixel's own light, by the row.
Largest Grow(std::span<const FineRow> rows, int leaking_row, double shift,
             std::span<const double> taken = {}) {
  Largest most;
  for (int round = 0; round < 100; ++round) {
    Largest next;
    for (size_t i = 0; i < rows.size(); ++i) {
      const FineRow& row = rows[i];
      double e = std::max(kWhite / 2 + shift, kMaxErrorSum + most.right);
      if (!taken.empty()) e += taken[i];
      if (static_cast<int>(i) == leaking_row) e = e * 7 / 8 + 1;
      next.error = std::max(next.error, e);
      const auto part = [e](int weight) { return e * std::abs(weight) / 256; };
      next.right = std::max(next.right, part(row.right) + 0.5);
      const int down =
          256 - row.right - row.down_right - row.down_left - row.down_left_left;
      next.down[0] = std::max(next.down[0], part(down) + 2);
      next.down[1] = std::max(next.down[1], part(row.down_right) + 0.5);
      next.down[2] = std::max(next.down[2], part(row.down_left) + 0.5);
      next.down[3] = std::max(next.down[3], part(row.down_left_left) + 0.5);
    }
    most = next;
  }
  return most;
}

struct Shifts {
  int most;   // by the distance
  int extra;  // by anything else, and alone
};

// Bounds that vectors need for a table, besides its weights; the distance is at
// least 5, and only the high half of its product with the gain is used.
double LargestShift(std::span<const FineRow> table, Shifts shifts) {
  int least = 0;
  int lift = 0;
  for (const FineRow& row : table) {
    EXPECT_GE(row.gain, 0);
    EXPECT_LE(row.gain * 128, std::numeric_limits<int16_t>::max());
    least = std::max(least, row.gain * row.onset / 16 - row.lift);
    lift = std::max<int>(lift, row.lift);
  }
  return std::max({least, shifts.most + lift, shifts.extra});
}

TEST(Contract, NumbersOfSpreadErrorsFitSixteenBits) {
  constexpr double kLimit = std::numeric_limits<int16_t>::max();
  const auto holds = [kLimit](std::span<const FineRow> table, int leaking_row,
                              double shift) {
    const Largest most = Grow(table, leaking_row, shift);
    EXPECT_LE(kWhite + kMaxErrorSum + most.right + shift, kLimit);
    EXPECT_LE(most.error, kLimit);
    EXPECT_LE(most.sum(), kLimit);
  };
  holds(kFineTable, 0, LargestShift(kFineTable, {kFineMaxShift, 0}));
  holds(kBestFirstTable, 0, LargestShift(kBestFirstTable, {kFineMaxShift, 0}));
  for (const ToneTable& table : kClusterTables) {
    holds(table, 0, LargestShift(table, {kClusterMaxShift, kClusterGrowth}));
  }
  EXPECT_LE(kFineFar * 32 + 7 * 32, kLimit);
  EXPECT_LE(32 * (kClusterFar + kClusterAcross), kLimit);
}

// The most that feedback takes, up or down, by the row of the table.
std::vector<double> TakenByFeedback() {
  std::vector<double> most(kFineRows);
  const PrintFeedback feedback(kFullFeedback);
  for (int v = 0; v <= kWhite; ++v) {
    const int tone = FineToneOf(v);
    double& of_row = most[static_cast<size_t>(FineRowOf(tone))];
    for (const int light : {0, int{kWindowLight.one}}) {
      const int taken =
          feedback.bias(v) + (feedback.strength(tone) * light >> 4);
      of_row = std::max<double>(of_row, std::abs(taken) + MostDelayOf(v));
      // Vectors know it by the value with the bias.
      const bool is_delayed = std::min(v, kWhite - v) <= kDelayedEnd + 16;
      EXPECT_TRUE(!is_delayed || taken == 0) << v;
    }
  }
  return most;
}

TEST(Contract, NumbersOfPrintFeedbackFitSixteenBits) {
  constexpr double kLimit = std::numeric_limits<int16_t>::max();
  int noise = 0;
  for (const FeedbackRow& row : kFeedbackTable) {
    EXPECT_LE(row.strength, 127);
    EXPECT_LE(row.noise, 127);
    EXPECT_LE(row.strength * kWindowLight.one, kLimit);
    noise = std::max<int>(noise, row.noise * kNoiseStep);
  }
  for (const size_t pure : {0, 255}) {
    EXPECT_EQ(kFeedbackTable[pure].strength, 0);
    EXPECT_EQ(kFeedbackTable[pure].noise, 0);
    EXPECT_EQ(kFeedbackTable[pure].bias, 0);
  }
  const std::vector<double> taken = TakenByFeedback();
  const double shift = LargestShift(kFineTable, {kFineMaxShift, 0}) + noise;
  const Largest most = Grow(kFineTable, 0, shift, taken);
  EXPECT_LE(kWhite + kMaxErrorSum + most.right + shift +
                *std::ranges::max_element(taken),
            kLimit);
  EXPECT_LE(most.error, kLimit);
  EXPECT_LE(most.sum(), kLimit);
}

// Vectors know the side of a tone by its value with the bias.
TEST(Contract, TheBiasKeepsTheSidesOfTonesApart) {
  for (int strength = 0; strength <= kFullFeedback; ++strength) {
    const PrintFeedback feedback(strength);
    const int middle = kWhite / 2 + feedback.bias(kWhite / 2);
    for (int v = 0; v <= kWhite; ++v) {
      ASSERT_EQ(v + feedback.bias(v) < middle, v < kWhite / 2)
          << v << " at " << strength;
    }
  }
}

TEST(Contract, NoiseOfAColumnIsThatOfTheRowFurtherOn) {
  for (const int64_t row :
       {int64_t{0}, int64_t{1}, int64_t{4711}, Page::kMaxRows - 1}) {
    uint16_t random = NoiseAtRow(row);
    for (int32_t column = 0; column < 3000; ++column) {
      ASSERT_EQ(NoiseAt(row, column), random) << row << ", " << column;
      random = static_cast<uint16_t>(random * kNoiseFactor);
    }
  }
}

size_t PixelAt(const Page& page, int row, int column) {
  return static_cast<size_t>(row) * static_cast<size_t>(page.width()) +
         static_cast<size_t>(column);
}

// Textbook diffusion, but with whole sixteenths: the parts that a pixel gives
// its neighbors are added up unrounded, and rounded when they are used.
std::vector<bool> Diffuse(const GrayPage& gray, const ToneCurve& curve) {
  const int width = gray.page.width();
  const auto at = [&](int i, int j) { return PixelAt(gray.page, i, j); };
  std::vector<int> sixteenths(gray.samples.size());
  std::vector<bool> white(gray.samples.size());
  for (int i = 0; i < gray.rows; ++i) {
    for (int j = 0; j < width; ++j) {
      const int v = curve.At8(std::to_integer<uint8_t>(gray.samples[at(i, j)]));
      const int s = v + ((sixteenths[at(i, j)] + 8) >> 4);
      white[at(i, j)] = s > kWhite / 2;
      const int e = s - (white[at(i, j)] ? kWhite : 0);
      if (j + 1 < width) sixteenths[at(i, j + 1)] += 7 * e;
      if (i + 1 == gray.rows) continue;
      if (j > 0) sixteenths[at(i + 1, j - 1)] += 3 * e;
      sixteenths[at(i + 1, j)] += 5 * e;
      if (j + 1 < width) sixteenths[at(i + 1, j + 1)] += e;
    }
  }
  return white;
}

bool BitAt(const BitPage& page, int row, int column) {
  const auto byte = page.bytes[static_cast<size_t>(row) * page.bytes_per_row +
                               static_cast<size_t>(column / 8)];
  return (std::to_integer<int>(byte) >> (7 - column % 8) & 1) != 0;
}

TEST(Contract, DiffusingUnroundedSixteenthsGivesTheBitsOfCollecting) {
  const uint64_t seed = FreshSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (Content content : testing::kContents) {
    for (CurveKind kind : testing::kCurves) {
      Recipe::Parts parts;
      parts.curve = MakeCurve(kind, random);
      const Recipe recipe = *Recipe::Make(parts);
      const Page page = *Page::Make(203, 8);
      const GrayPage gray = MakePage(page, 150, content, random);
      const BitPage collected =
          HalftoneWhole(gray, recipe, Carry::AtStart(recipe, page));
      const std::vector<bool> diffused = Diffuse(gray, recipe.curve());
      for (int i = 0; i < gray.rows; ++i) {
        for (int j = 0; j < page.width(); ++j) {
          ASSERT_EQ(BitAt(collected, i, j), diffused[PixelAt(page, i, j)])
              << "row " << i << ", column " << j;
        }
      }
    }
  }
}

// The error that leaves a tile is bounded: a pixel of the bottom row hands down
// 9/16 of its error, one of the right column at most 8/16 and one of the left
// column 3/16; as much may come in. The rest is rounding, at most half a unit a
// pixel.
TEST(Contract, ToneIsKeptInEveryTileOf64By64) {
  constexpr int kTile = 64;
  constexpr double kBound = 2 * 2040.0 * (9 + 8 + 3) / 16 / kTile + 0.5;
  Random random(FreshSeed());
  const Page page = *Page::Make(5 * kTile, 8);
  const Recipe recipe = Recipe::FloydSteinberg();
  double squares = 0;
  int tiles = 0;
  for (Content content : testing::kContents) {
    const GrayPage gray = MakePage(page, 4 * kTile, content, random);
    const BitPage bits =
        HalftoneWhole(gray, recipe, Carry::AtStart(recipe, page));
    for (int top = 0; top < gray.rows; top += kTile) {
      for (int left = 0; left < page.width(); left += kTile) {
        double difference = 0;
        for (int i = top; i < top + kTile; ++i) {
          for (int j = left; j < left + kTile; ++j) {
            const auto sample = gray.samples[PixelAt(page, i, j)];
            difference += 16.0 * std::to_integer<int>(sample) -
                          (BitAt(bits, i, j) ? kWhite : 0);
          }
        }
        difference /= double{kTile} * kTile;
        EXPECT_LE(std::abs(difference), kBound);
        squares += difference * difference;
        ++tiles;
      }
    }
  }
  // Far within the bound on the whole: half a gray level of 255.
  EXPECT_LE(std::sqrt(squares / tiles), 8.0);
}

}  // namespace
}  // namespace halftoned
