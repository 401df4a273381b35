// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/screen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "halftone/page/tone_curve.h"

namespace halftoned {
namespace {

// 45 degrees; about 18; 15, of dots that are not square; a skewed one.
constexpr Supercell kSupercells[] = {{46, 46, 46, 46, 13},
                                     {62, 20, 20, 62, 9},
                                     {120, 16, 32, 60, 7},
                                     {12, 31, 7, 50, 4}};

constexpr DotShape kShapes[] = {
    {DotShape::kRound},         {DotShape::kEllipse},
    {DotShape::kEllipse, true}, {DotShape::kLine},
    {DotShape::kLine, true},    {DotShape::kDiamond},
    {DotShape::kDiamond, true}};

// How many pixels of the brick print black, for each value.
std::vector<int64_t> BlackPixels(const Screen& screen) {
  std::vector<int64_t> black(kWhite + 1);
  for (int32_t i = 0; i < screen.rows(); ++i) {
    for (const int offset : screen.row(i)) {
      if (offset < kWhite) ++black[static_cast<size_t>(kWhite - 1 - offset)];
    }
  }
  // A pixel that is black for one value is black for all darker ones.
  for (size_t v = kWhite; v > 0; --v) black[v - 1] += black[v];
  return black;
}

TEST(Screen, IsAPixelOrAsLargeAsItCanBe) {
  EXPECT_EQ(Screen::Of({1, 0, 0, 1, 1}).row(0)[0], kWhite / 2);
  const Supercell largest{255, 255, 255, 255, 32};
  const Screen screen = Screen::Of(largest);
  EXPECT_EQ(int64_t{screen.rows()} * screen.columns(), largest.pixels());
}

TEST(Screen, IsTheSameASupercellFurtherOn) {
  for (const Supercell& cell : kSupercells) {
    const Screen screen = Screen::Of(cell);
    EXPECT_EQ(int64_t{screen.rows()} * screen.columns(), cell.pixels());
    for (int64_t row = 0; row < 70; ++row) {
      for (int32_t column = cell.down_x; column < 300; ++column) {
        const int offset = screen.OffsetAt(row, column);
        ASSERT_EQ(screen.OffsetAt(row + cell.right_y, column + cell.right_x),
                  offset);
        ASSERT_EQ(screen.OffsetAt(row + cell.down_y, column - cell.down_x),
                  offset);
      }
    }
  }
}

TEST(Screen, KeepsItsPlaceOnTheLongestPage) {
  const Screen screen = Screen::Of(kSupercells[3]);
  const int64_t period = int64_t{screen.rows()} * screen.columns();
  const int64_t last = (int64_t{1} << 32) - 1;
  for (int32_t column = 0; column < 1 << 18; column += 1111) {
    EXPECT_EQ(screen.OffsetAt(last, column),
              screen.OffsetAt(last % period, column));
  }
}

void ExpectInk(const Screen& screen) {
  const std::vector<int64_t> black = BlackPixels(screen);
  for (int v = 0; v <= kWhite; ++v) {
    const int64_t asked =
        int64_t{kWhite - v} * screen.rows() * screen.columns();
    EXPECT_LE(std::abs(black[static_cast<size_t>(v)] * kWhite - asked), kWhite);
  }
}

TEST(Screen, HasAsMuchInkAsEachStepOfTheCurveAsksFor) {
  for (const Supercell& cell : kSupercells) {
    for (const DotShape& shape : kShapes) ExpectInk(Screen::Of(cell, shape));
  }
  ExpectInk(Screen::BlueNoise());
}

// The ink at which dots touch the next one to the right, or the one below, if a
// cell is not turned.
double InkWhereDotsTouch(const DotShape& shape, bool across) {
  constexpr int32_t kSide = 64;
  const Screen screen = Screen::Of({kSide, 0, 0, kSide, 1}, shape);
  int last = 0;
  for (int32_t i = 0; i < kSide; ++i) {
    last = std::max(last, across ? screen.OffsetAt(kSide / 2, i)
                                 : screen.OffsetAt(i, kSide / 2));
  }
  return last / double{kWhite};
}

// Round dots touch at half ink, and the others earlier in one direction.
TEST(Screen, DotsTouchFirstAlongTheSideThatLeadsDown) {
  constexpr double kNear = 0.035;  // two rows of the cell
  const auto expect = [](DotShape::Outline outline, double down,
                         double across) {
    EXPECT_NEAR(InkWhereDotsTouch({outline}, false), down, kNear);
    EXPECT_NEAR(InkWhereDotsTouch({outline}, true), across, kNear);
    EXPECT_NEAR(InkWhereDotsTouch({outline, true}, true), down, kNear);
    EXPECT_NEAR(InkWhereDotsTouch({outline, true}, false), across, kNear);
  };
  expect(DotShape::kRound, 0.5, 0.5);
  expect(DotShape::kEllipse, 0.375, 0.625);
  expect(DotShape::kDiamond, 0.425, 0.575);
  expect(DotShape::kLine, 0, 1);
}

// Counts white pixels in squares of 16 × 16. At half ink, their standard
// deviation would be 8 for white noise, and 0 for a regular screen of that
// size.
TEST(BlueNoise, SpreadsTheInkOfEachToneEvenly) {
  const Screen screen = Screen::BlueNoise();
  for (const int v : {kWhite / 16, kWhite / 3, kWhite / 2, kWhite * 9 / 10}) {
    double squares = 0;
    for (int square = 0; square < 256; ++square) {
      int white = 0;
      for (int i = 0; i < 256; ++i) {
        white += v + screen.OffsetAt(square / 16 * 16 + i / 16,
                                     square % 16 * 16 + i % 16) >=
                 kWhite;
      }
      const double off = white - 256.0 * v / kWhite;
      squares += off * off / 256;
    }
    EXPECT_LT(squares, 2 * 2) << v;
  }
}

// If one pixel in 100 is a dot, no two dots are within 5 pixels of each other.
TEST(BlueNoise, KeepsDotsOfALightToneApart) {
  const Screen screen = Screen::BlueNoise();
  const auto is_dot = [&](int32_t row, int32_t column) {
    return kWhite * 99 / 100 + screen.OffsetAt(row & 255, column & 255) <
           kWhite;
  };
  for (int32_t row = 0; row < 256; ++row) {
    for (int32_t column = 0; column < 256; ++column) {
      if (!is_dot(row, column)) continue;
      for (int32_t at = 0; at < 121; ++at) {
        const int32_t y = at / 11 - 5;
        const int32_t x = at % 11 - 5;
        if (y * y + x * x > 25 || at == 60) continue;
        EXPECT_FALSE(is_dot(row + y, column + x)) << row << ", " << column;
      }
    }
  }
}

TEST(Screen, TellsAllStepsApartWhereItHasAPixelForEach) {
  for (const Supercell& cell : kSupercells) {
    const std::vector<int64_t> black = BlackPixels(Screen::Of(cell));
    for (size_t v = 1; v < black.size(); ++v) {
      if (cell.pixels() >= kWhite) {
        EXPECT_LT(black[v], black[v - 1]);
      } else {
        EXPECT_LE(black[v], black[v - 1]);
      }
    }
  }
}

// Dots and holes of all cells have the same pixels in every tone, but for one.
// A square of two by two cells has four dots and a hole, and parts of eight.
TEST(Screen, SpreadsItsInkEvenlyOverTheCells) {
  constexpr int kSide = 10;  // of a cell
  constexpr int kCells = 7;
  const Screen screen =
      Screen::Of({kSide * kCells, 0, 0, kSide * kCells, kCells});
  for (int v = 0; v <= kWhite; v += 16) {
    int least = 4 * kSide * kSide;
    int most = 0;
    for (int cell = 0; cell < kCells * kCells; ++cell) {
      int black = 0;
      for (int i = 0; i < 2 * kSide; ++i) {
        for (int j = 0; j < 2 * kSide; ++j) {
          black += v + screen.OffsetAt(cell / kCells * kSide + i,
                                       cell % kCells * kSide + j) <
                   kWhite;
        }
      }
      least = std::min(least, black);
      most = std::max(most, black);
    }
    EXPECT_LE(most - least, 9) << v;
  }
}

}  // namespace
}  // namespace halftoned
