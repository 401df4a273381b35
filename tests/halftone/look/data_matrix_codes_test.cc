// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DataMatrix codes (data_matrix_codes.h): with soft, each becomes solid as a
// whole, and nothing that only looks like one does.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "tests/halftone/look/drawn_code.h"
#include "tests/halftone/look/edges_stage.h"

namespace halftoned {
namespace {

// zint encoded three texts; the last code is a rectangle.
const Modules kLittle = {"#.#.#.#.#.#.#.", "#.##.##..#...#", "##...####.#.#.",
                         "#.#.##..######", "##.##.####....", "####..#..#.###",
                         "##.....#.###..", "#.#..#.####.##", "###.#....#.#..",
                         "#..#.###..#..#", "#.#.##.#..##..", "##.###..##.###",
                         "#.##..##.#.##.", "##############"};
const Modules kMiddle = {
    "#.#.#.#.#.#.#.#.#.#.#.#.", "####..##....####..#...##",
    "##.#..########..##.####.", "####..#..###..#.#.#.####",
    "#.#.##.####..####.#.##..", "##.#..####.##.###.....##",
    "#######...###.##....#...", "##.#######.##.#..##.##.#",
    "###.#.....#...#.####.##.", "####.#...##.#.##...###.#",
    "##..#######.#.#.###.....", "########..##..#....#####",
    "#####..#.###.##..##.....", "###..##.##.###.#.#.....#",
    "#.#.......##.#.#.#...#..", "##...#.#.##.##.#...#.###",
    "##..#..##..#.....#...##.", "#####.##.#.##.#.#.#..#.#",
    "#.....#..###..###...#...", "####..##.###........#..#",
    "##.###.#.##..#.###.###..", "#..##.#.#.##...#.....#.#",
    "#..#..###.##..#.#..##.#.", "########################"};
const Modules kLong = {"#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.",
                       "#.#...##..####.########......###...#",
                       "#.##...##...#.#.#.#.##.#.##...##....",
                       "#...#...#.....#.######.###.......###",
                       "##.#.#......#.....####....##.##..#..",
                       "##.##..#.#####...###...#..##...#####",
                       "##.##.#.##.####.#.##...#.........##.",
                       "#.##..#.###...#.####.##.####.#.....#",
                       "#.#.###.##..#####.##....#####...#.#.",
                       "#..###.....#...####.##.##..##......#",
                       "#.##.#..####..#.#.###.#.#.#.....#...",
                       "####################################"};

void ExpectSolidMatrix(const Modules& modules, const Print& print,
                       TextEdges edges) {
  ExpectSolidCode(modules, print, edges, 1.5, 2.6);
}

TEST(DataMatrixCodes, AreSolidAsAWholeInEverySizeToneAndDepth) {
  for (const double module : {2.0, 2.6, 4.0, 6.3, 8.0}) {
    for (const auto& [black, white, depth] : {std::tuple{0, 230, Depth::k8},
                                              {60, 200, Depth::k16},
                                              {100, 255, Depth::k8}}) {
      Print print{module, 0, black, white, depth};
      ExpectSolidMatrix(kMiddle, print, TextEdges::kSoft);
      print.quarters = 2;
      ExpectSolidMatrix(kLittle, print, TextEdges::kSoft);
      if (HasFatalFailure()) FAIL() << module << ", " << black;
    }
  }
}

TEST(DataMatrixCodes, MayBeTurned) {
  for (int quarters = 0; quarters < 4; ++quarters) {
    for (const double degrees : {-4.0, -1.3, 0.0, 2.5, 4.0}) {
      Print print{.module = 2.5, .degrees = degrees};
      print.quarters = quarters;
      ExpectSolidMatrix(kMiddle, print, TextEdges::kSoft);
      print.module = 5;
      ExpectSolidMatrix(kLittle, print, TextEdges::kSoft);
      if (HasFatalFailure()) FAIL() << quarters << ", " << degrees;
    }
  }
}

void ExpectSameMatrix(const Modules& modules, double module = 3.3) {
  for (int quarters = 0; quarters < 4; ++quarters) {
    Print print{.module = module};
    print.quarters = quarters;
    const SamplePage page = DrawnCode(modules, print).Page();
    EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples)
        << quarters;
  }
}

TEST(DataMatrixCodes, StayAsTheyAreWhereTheStructureIsBroken) {
  // A gap in the solid sides; clock tracks that stop alternating; clock tracks
  // that are inverted from a module on; an odd size; no content.
  Modules open = kLittle, still = kLittle, late = kLittle, odd = kLittle;
  const size_t last = kLittle.size() - 1;
  for (size_t i = 5; i < 9; ++i) {
    open[i][0] = open[last][i] = '.';
    still[i][last] = still[0][i] = '#';
  }
  for (size_t i = 4; i < last; ++i) {
    late[i][last] = late[i][last] == '#' ? '.' : '#';
    late[0][i] = late[0][i] == '#' ? '.' : '#';
  }
  for (std::string& row : odd) row.insert(5, 1, row[5]);
  Modules empty = kLittle;
  for (size_t i = 1; i < last; ++i)
    empty[i].replace(1, last - 1, last - 1, '.');
  for (const Modules& each : {open, still, late, odd, empty}) {
    SCOPED_TRACE(testing::PrintToString(each));
    ExpectSameMatrix(each);
  }
}

TEST(DataMatrixCodes, AreSquares) {
  for (const double module : {2.0, 3.3, 7.0}) ExpectSameMatrix(kLong, module);
}

TEST(DataMatrixCodes, AreAlone) {
  const Print print{.module = 4};
  const DrawnCode drawn(kLittle, print);
  const int left = (drawn.side() - 4 * static_cast<int>(kLittle.size())) / 2;
  for (const bool is_beside : {true, false}) {
    SamplePage page = drawn.Page();
    for (int i = 0; i < page.rows; ++i) {
      for (int j = left - 4; j < left - 1; ++j) {
        (is_beside ? page.at(i, j) : page.at(j, i)) = 60;
      }
    }
    EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples);
  }
}

TEST(DataMatrixCodes, AreWholeOrAsTheyWere) {
  std::mt19937 random(7);
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<uint32_t>(most));
  };
  int whole = 0, untouched = 0;
  for (int n = 0; n < 60; ++n) {
    Print print{1 + any(110) / 10.0, any(160) / 10.0 - 8, any(120)};
    print.white = std::min(print.black + 30 + any(200), 230);  // gray
    print.quarters = any(4);
    IsWholeOrUnchanged(n % 2 ? kLittle : kMiddle, print) ? ++whole
                                                         : ++untouched;
  }
  EXPECT_GE(whole, 15);
  EXPECT_GE(untouched, 15);
}

TEST(DataMatrixCodes, DoNotDependOnBands) {
  std::mt19937 random(4);
  int changed = 0;
  for (int n = 0; n < 24; ++n) {
    const auto any = [&](int most) {
      return static_cast<int>(random() % static_cast<uint32_t>(most));
    };
    Print print{2 + any(50) / 10.0, any(80) / 10.0 - 4, any(90), 160 + any(96)};
    print.quarters = any(4);
    SamplePage page = DrawnCode(n % 2 ? kLittle : kMiddle, print).Page();
    for (int k = any(3) ? 0 : any(40); k > 0; --k) {
      page.samples[random() % page.samples.size()] =
          static_cast<uint16_t>(any(256));
    }
    SCOPED_TRACE(n);
    changed += IsChangedInAnyBands(page, TextEdges::kSoft);
  }
  EXPECT_GE(changed, 12) << "hardly any code is found";
}

}  // namespace
}  // namespace halftoned
