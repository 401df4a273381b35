// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// QR codes (square_codes.h): each becomes solid as a whole, with soft and with
// barcode, and nothing that only looks like one does.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/halftone/look/drawn_code.h"
#include "tests/halftone/look/edges_stage.h"

namespace halftoned {
namespace {

using Image = SamplePage;

// zint encoded two texts.
const Modules kSmall = {
    "#######.##..#.#######", "#.....#.####..#.....#", "#.###.#..#.#..#.###.#",
    "#.###.#.#.###.#.###.#", "#.###.#..#.#..#.###.#", "#.....#.......#.....#",
    "#######.#.#.#.#######", "........#.##.........", "#.##.###......#..#.##",
    ".####........#.##.#.#", "#.#.####..#..###...##", "##.#.....##.#....#.#.",
    "##..#.####....#.#...#", "........#..#.##.#.#..", "#######.######.##....",
    "#.....#.##..#...###.#", "#.###.#..###...####..", "#.###.#.#..#.#...#.#.",
    "#.###.#.#.#.#........", "#.....#....#..#.....#", "#######.##.....####..",
};
const Modules kLarge = {
    "#######.#...#..##.#...#######", "#.....#.##.#....#..#..#.....#",
    "#.###.#.#...#..##.##..#.###.#", "#.###.#..####...##..#.#.###.#",
    "#.###.#.##....######..#.###.#", "#.....#..#.##..##.....#.....#",
    "#######.#.#.#.#.#.#.#.#######", ".........##..#.##.###........",
    "#..#######..##..##...#..#.###", ".##.##.##.##.#..#..#.#.##.##.",
    "##..#.###.#.##.#.#...#..#.#..", ".#..##......##..#####.#..#..#",
    "###...####.#.#.##...#.##....#", ".#.#....#....######.#.#######",
    "#.#######.#..#.###.##..##.#.#", "..#.#..##.##...##..#..#.#.#.#",
    "##....######..#.....#..#.#...", "##.#...#..#.###...###...#.##.",
    "#####.####......#..##.####..#", "##...#..####..#...#.##...##..",
    "###.#.#.#.#..###.#.#########.", "........#.....#.#.###...##...",
    "#######.#.##..##.#.##.#.##...", "#.....#.#.....#.##.##...#....",
    "#.###.#.#.######...#######...", "#.###.#.#.#.#.....#....#...#.",
    "#.###.#.......##....##.##.###", "#.....#..#...#.#..#..#.####.#",
    "#######.###.##....#####.#....",
};

TEST(QrCodes, AreSolidAsAWholeInEverySizeToneAndDepth) {
  for (const double module : {1.7, 2.0, 2.6, 4.0, 6.3, 9.0}) {
    for (const auto& [black, white] :
         {std::pair{0, 230}, std::pair{60, 200}, std::pair{100, 255}}) {
      for (const Depth depth : {Depth::k8, Depth::k16}) {
        const Print print{module, 0, black, white, depth};
        ExpectSolidCode(kSmall, print, TextEdges::kSoft);
        ExpectSolidCode(kLarge, print,
                        black == 60 ? TextEdges::kBarcode : TextEdges::kSoft);
        if (HasFatalFailure()) FAIL() << module << ", " << black;
      }
    }
  }
}

TEST(QrCodes, MayBeTurned) {
  for (int quarters = 0; quarters < 4; ++quarters) {
    for (const double degrees : {-4.0, -1.3, 0.0, 2.5, 4.0}) {
      Print print{.module = 2.2, .degrees = degrees};
      print.quarters = quarters;
      ExpectSolidCode(kSmall, print, TextEdges::kSoft);
      print.module = 5;
      ExpectSolidCode(kLarge, print, TextEdges::kSoft);
      if (HasFatalFailure()) FAIL() << quarters << ", " << degrees;
    }
  }
}

void ExpectUnchanged(const Image& page) {
  EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples);
}

TEST(QrCodes, StayAsTheyAreWhereTheStructureIsBroken) {
  // Finders that are not closed, and timing patterns that do not alternate.
  Modules open = kLarge, still = kLarge;
  for (const size_t left : {0u, 22u}) {
    for (const size_t i : {0u, 6u}) open[i].replace(left + 2, 3, "...");
  }
  for (size_t i = 8; i < 21; ++i) still[6][i] = still[i][6] = '#';
  for (const Modules& modules : {open, still}) {
    ExpectUnchanged(DrawnCode(modules, {}).Page());
  }
  // Two columns more than a code may have.
  Modules wide = kSmall;
  for (std::string& row : wide) row.insert(10, row.substr(8, 2));
  wide.push_back(wide[19]);
  wide.push_back(wide[20]);
  ExpectUnchanged(DrawnCode(wide, {}).Page());
}

TEST(QrCodes, NeedAnotherFinderOrAColumnThatAlternates) {
  // Data in place of the finder at the upper right. Only the row alternates, or
  // neither does, but for the first module of the column: in the rows that are
  // known at first, there is no other.
  Modules row = kSmall;
  for (size_t i = 0; i < 7; ++i) {
    row[i].replace(14, 7, kSmall[14 + i].substr(8, 7));
    if (i > 0) row[8 + i][6] = '#';
  }
  Modules neither = row;
  neither[6].replace(8, 5, "##.##");
  for (const double module : {3.3, 10.5}) {
    ExpectUnchanged(DrawnCode(row, {.module = module}).Page());
    ExpectUnchanged(DrawnCode(neither, {.module = module}).Page());
  }
}

TEST(QrCodes, AreNoneWhereOnlyFindersAre) {
  Modules modules(21, std::string(21, '.'));
  for (const auto& [top, left] : {std::pair{0, 0}, {0, 14}, {14, 0}}) {
    for (size_t i = 0; i < 7; ++i) {
      modules[static_cast<size_t>(top) + i].replace(static_cast<size_t>(left),
                                                    7, kSmall[i].substr(0, 7));
    }
  }
  ExpectUnchanged(DrawnCode(modules, {}).Page());
}

TEST(QrCodes, NeedTheirQuietZone) {
  const Print print{.module = 4};
  const DrawnCode drawn(kSmall, print);
  // Lines one module away: above both finders, or beside each of them.
  const int from = (drawn.side() - 21 * 4) / 2;
  const int above = from - 8, left = from - 8, right = from + 21 * 4 + 4;
  Image page = drawn.Page();
  for (int n = 0; n < 4 * page.width; ++n) {
    page.at(above + n % 4, n / 4) = 60;
  }
  ExpectUnchanged(page);
  page = drawn.Page();
  for (int n = 0; n < 4 * page.rows; ++n) {
    page.at(n / 4, left + n % 4) = page.at(n / 4, right + n % 4) = 60;
  }
  ExpectUnchanged(page);
}

TEST(QrCodes, AreWholeOrAsTheyWere) {
  std::mt19937 random(7);
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<uint32_t>(most));
  };
  int whole = 0, untouched = 0;
  for (int n = 0; n < 60; ++n) {
    Print print{1 + any(120) / 10.0, any(200) / 10.0 - 10, any(120)};
    print.white = std::min(print.black + 30 + any(200), 230);  // gray
    print.quarters = any(4);
    IsWholeOrUnchanged(n % 2 ? kSmall : kLarge, print) ? ++whole : ++untouched;
  }
  EXPECT_GE(whole, 15);
  EXPECT_GE(untouched, 15);
}

TEST(QrCodes, DoNotDependOnBands) {
  std::mt19937 random(4);
  int changed = 0;
  for (int n = 0; n < 24; ++n) {
    const auto any = [&](int most) {
      return static_cast<int>(random() % static_cast<uint32_t>(most));
    };
    Print print{1.6 + any(60) / 10.0, any(90) / 10.0 - 4.5, any(90),
                160 + any(96)};
    print.quarters = any(4);
    Image page = DrawnCode(n % 2 ? kSmall : kLarge, print).Page();
    for (int k = any(3) ? 0 : any(200); k > 0; --k) {
      page.samples[random() % page.samples.size()] =
          static_cast<uint16_t>(any(256));
    }
    SCOPED_TRACE(n);
    changed += IsChangedInAnyBands(page, TextEdges::kSoft);
  }
  EXPECT_GE(changed, 16) << "hardly any code is found";
}

}  // namespace
}  // namespace halftoned
