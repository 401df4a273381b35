// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aztec codes (aztec_codes.h): each becomes solid as a whole, with soft and
// with barcode, and nothing that only looks like one does.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "tests/halftone/look/drawn_code.h"
#include "tests/halftone/look/edges_stage.h"

namespace halftoned {
namespace {

// zint encoded four texts.
const Modules kCompact = {
    "..###.#.######.", "#.#..###.....#.", "..##.....##.##.", "#############..",
    "##.#.......#..#", "..##.#####.##.#", "..##.#...#.####", ".#.#.#.#.#.##.#",
    "...#.#...#.####", "#..#.#####.###.", "..##.......#.#.", "...############",
    "##..####.##....", "##..#.##.....##", ".##...#....##.#"};
const Modules kLargeCompact = {
    "...#.#.##....#...#..#....#.", ".###..##..###...###.#.##...",
    "...####..#.####.##.#.....##", "..####.....##.#..##....#...",
    "##..#..##.###..#..#..####..", "..####.##.##..##..#.#.#..#.",
    "#.##.....#.#.#....#...#.#..", "..#.###..#.#.#.##......##..",
    ".#...#.######..##.#.##.#.##", ".#.#.#################.#.##",
    "....#...##.......###.#.#...", "##.#....##.#####.###..###..",
    "..#....###.#...#.##.###..##", ".#.#...###.#.#.#.##.##.#..#",
    "##.##.####.#...#.#.####..#.", ".#...#.###.#####.##..#.###.",
    "..####.#.#.......#...#.####", "..#.##...##########..#...#.",
    "#.#..##....##.###..###.##.#", ".#.#..........#.###.###.##.",
    ".#.###...#...##.#....#..#..", ".#.#.#####.#.#.#...#.#...##",
    "..#..#..###.##.####.#.#.###", "#.#####.#.####.###...#..##.",
    "###..##..#.#..####..#..#.#.", "#..####.##..#.#.##.#..#####",
    ".#.#..#.###....#...###....#"};
const Modules kFull = {
    "..##......####.#...", "...#....##.##.#.#..", "####............#.#",
    "###################", "##.#...........#..#", "..##.#########.#.#.",
    "#..#.#.......#.##.#", "####.#.#####.#.#...", "..##.#.#...#.#.#.#.",
    ".#.#.#.#.#.#.#.#.#.", "####.#.#...#.#.#...", ".###.#.#####.#.###.",
    ".###.#.......#.##..", "#..#.#########.#...", "#.##...........###.",
    "...##############.#", ".#...###..#..#....#", "..#..###.######.#..",
    ".#........#.##..###"};
const Modules kLargeFull = {
    "#.#.#.####..###.#.#..###.#.#.#.", "....#.....##.######....##...#.#",
    "###..####...#.#..#.##.#..#.....", "##..#####..##.###......####.#.#",
    "...##.....##.##.##.###.##.##..#", "..####.#..######....##.#..#..#.",
    ".#.###.##.#####..####......###.", "..####.#.#.##..##.#.##.###...##",
    "#.#.#...##...##.......##.......", "..#..##.###############......##",
    "..#.....##...........#.#..#.#.#", "##.#..#.##.#########.###.##.###",
    ".##.....##.#.......#.#####.#.#.", "##.###..##.#.#####.#.#...#.....",
    "#...##...#.#.#...#.#.#..##.##.#", ".#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.",
    ".....#.###.#.#...#.#.#.######..", ".##.##..##.#.#####.#.#.#..#....",
    "..#..#...#.#.......#.####.##...", "##..####.#.#########.#..##.#..#",
    ".#.#.##.##...........#..#.###.#", "..#.#.#..##############....##.#",
    "..#.##.#...#.....#.....#..#..##", ".#..##.#####.#.##...#.####...##",
    "##.#.####.#......##.....##.##..", "#..#.######.#.##...###.####.###",
    "##.##...#.#.#.#.#...##.#.##....", "#...#.###..##..#.##..#..#..#..#",
    ".##.#.#.#.......#..##....##.###", "...#..#....######....##...#....",
    "...##..####.........#..#....###"};

void ExpectSolidAztec(const Modules& modules, const Print& print,
                      TextEdges edges = TextEdges::kSoft) {
  ExpectSolidCode(modules, print, edges, 0.9, 3.6);
}

TEST(AztecCodes, AreSolidAsAWholeInEverySizeToneAndDepth) {
  for (const double module : {1.9, 2.3, 2.6, 4.0, 5.1, 8.0}) {
    for (const auto& [black, white, depth] : {std::tuple{0, 230, Depth::k8},
                                              {60, 200, Depth::k16},
                                              {100, 255, Depth::k8}}) {
      const Print print{module, 0, black, white, depth};
      ExpectSolidAztec(kCompact, print);
      if (module > 6) continue;
      ExpectSolidAztec(kFull, print);
      if (module > 5) continue;
      ExpectSolidAztec(kLargeCompact, print,
                       black == 60 ? TextEdges::kBarcode : TextEdges::kSoft);
      ExpectSolidAztec(kLargeFull, print);
      if (HasFatalFailure()) FAIL() << module << ", " << black;
    }
  }
}

TEST(AztecCodes, MayBeTurned) {
  for (int quarters = 0; quarters < 4; ++quarters) {
    for (const double degrees : {-4.0, -1.3, 0.0, 2.5, 4.0}) {
      Print print{.module = 2.2, .degrees = degrees};
      print.quarters = quarters;
      ExpectSolidAztec(kCompact, print);
      ExpectSolidAztec(kLargeFull, print);
      print.module = 4;
      ExpectSolidAztec(kFull, print);
      ExpectSolidAztec(kLargeCompact, print);
      if (HasFatalFailure()) FAIL() << quarters << ", " << degrees;
    }
  }
}

void ExpectSameAztec(const Modules& modules, double module = 3.3) {
  const SamplePage page = DrawnCode(modules, {.module = module}).Page();
  EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples)
      << modules[0];
}

TEST(AztecCodes, StayAsTheyAreWhereTheStructureIsBroken) {
  for (const Modules& code : {kCompact, kLargeFull}) {
    const size_t center = code.size() / 2;
    // A ring that is open; another that is not there; no marks; a column more.
    Modules open = code, merged = code, unmarked = code, wide = code;
    for (size_t i = center - 3; i <= center + 3; ++i) {
      open[i][center + 3] = '#';
      merged[center - 2][i] = merged[center + 2][i] = '.';
    }
    const size_t ring = code == kCompact ? 5 : 7;
    for (const size_t i : {center - ring, center + ring}) {
      for (const size_t j : {center - ring, center + ring}) {
        unmarked[i][j] = '.';
        unmarked[i][j < center ? j + 1 : j - 1] = '.';
        unmarked[i < center ? i + 1 : i - 1][j] = '.';
      }
    }
    for (std::string& row : wide) row.insert(0, 1, row[1]);
    for (const Modules& each : {open, merged, unmarked, wide}) {
      SCOPED_TRACE(testing::PrintToString(each));
      ExpectSameAztec(each);
    }
  }
}

TEST(AztecCodes, AreNoneWhereOnlyABullseyeIs) {
  for (const size_t side : {9u, 11u, 13u, 17u}) {
    Modules modules(side, std::string(side, '.'));
    for (size_t i = 0; i < side; ++i) {
      for (size_t j = 0; j < side; ++j) {
        const auto away = [&](size_t at) {
          return std::abs(static_cast<int>(at) - static_cast<int>(side / 2));
        };
        if (std::max(away(i), away(j)) % 2 == 0) modules[i][j] = '#';
      }
    }
    ExpectSameAztec(modules);
  }
}

TEST(AztecCodes, NeedLightAroundThem) {
  const Print print{.module = 4};
  const DrawnCode drawn(kCompact, print);
  const int left = (drawn.side() - 4 * static_cast<int>(kCompact.size())) / 2;
  for (const bool is_beside : {true, false}) {
    SamplePage page = drawn.Page();
    for (int i = 0; i < page.rows; ++i) {
      for (int j = left - 4; j < left; ++j) {
        (is_beside ? page.at(i, j) : page.at(j, i)) = 60;
      }
    }
    EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples);
  }
}

TEST(AztecCodes, StayAsTheyAreWhereRowsDoNotSuffice) {
  // From the first row to the end of the bullseye, there are more than 128.
  ExpectSameAztec(kLargeFull, 8);
  ExpectSameAztec(kLargeCompact, 9);
}

TEST(AztecCodes, AreWholeOrAsTheyWere) {
  std::mt19937 random(7);
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<uint32_t>(most));
  };
  const std::vector<Modules> all = {kCompact, kLargeCompact, kFull, kLargeFull};
  int whole = 0, untouched = 0;
  for (int n = 0; n < 60; ++n) {
    Print print{1 + any(90) / 10.0, any(160) / 10.0 - 8, any(120)};
    print.white = std::min(print.black + 30 + any(200), 230);  // gray
    print.quarters = any(4);
    SCOPED_TRACE(n);
    IsWholeOrUnchanged(all[random() % 4], print) ? ++whole : ++untouched;
  }
  EXPECT_GE(whole, 15);
  EXPECT_GE(untouched, 15);
}

TEST(AztecCodes, DoNotDependOnBands) {
  std::mt19937 random(4);
  const std::vector<Modules> all = {kCompact, kLargeCompact, kFull, kLargeFull};
  int changed = 0;
  for (int n = 0; n < 24; ++n) {
    const auto any = [&](int most) {
      return static_cast<int>(random() % static_cast<uint32_t>(most));
    };
    Print print{1.7 + any(35) / 10.0, any(80) / 10.0 - 4, any(90),
                160 + any(96)};
    print.quarters = any(4);
    SamplePage page = DrawnCode(all[random() % 4], print).Page();
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
