// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// QR codes (square_codes.h): each becomes solid as a whole, with soft and with
// barcode, and nothing that only looks like one does.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/halftone/look/edges_definition.h"
#include "tests/halftone/look/edges_stage.h"

namespace halftoned {
namespace {

using Image = SamplePage;
using Modules = std::vector<std::string>;

// What zint makes of two texts.
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

struct Print {
  double module = 3.3, degrees = 0;
  int black = 60, white = 200;
  Depth depth = Depth::k8;
  int quarters = 0;
};

constexpr int kQuiet = 5;  // modules

Modules Turned(Modules modules, int quarters) {
  for (; quarters > 0; --quarters) {
    Modules other = modules;
    for (size_t i = 0; i < modules.size(); ++i) {
      for (size_t j = 0; j < modules.size(); ++j) {
        other[modules.size() - 1 - j][i] = modules[i][j];
      }
    }
    modules = other;
  }
  return modules;
}

// The modules on their page: the middle of both is the same.
class Drawn {
 public:
  Drawn(const Modules& modules, const Print& print)
      : modules_(Turned(modules, print.quarters)),
        print_(print),
        side_(static_cast<int>((double(modules.size()) + 2 * kQuiet) *
                               print.module * 1.1)) {}

  int side() const { return side_; }
  double size() const { return static_cast<double>(modules_.size()); }
  // Modules right of the code's left side and below its upper one.
  std::pair<double, double> Module(double x, double y) const {
    const double turn = print_.degrees * std::acos(-1) / 180;
    x -= side_ / 2.0, y -= side_ / 2.0;
    return {
        (x * std::cos(turn) + y * std::sin(turn)) / print_.module + size() / 2,
        (y * std::cos(turn) - x * std::sin(turn)) / print_.module + size() / 2};
  }
  // How much of a pixel is dark: 0 … 1.
  double Cover(int i, int j) const {
    constexpr int kParts = 4;
    int dark = 0;
    for (int n = 0; n < kParts * kParts; ++n) {
      const auto [right, down] = Module(j + (n % kParts + 0.5) / kParts,
                                        i + (n / kParts + 0.5) / kParts);
      const bool is_within =
          right >= 0 && down >= 0 && right < size() && down < size();
      dark += is_within &&
              modules_[static_cast<size_t>(down)][static_cast<size_t>(right)] ==
                  '#';
    }
    return double(dark) / (kParts * kParts);
  }
  Image Page() const {
    Image page{side_, side_, print_.depth, {}};
    const int scale = print_.depth == Depth::k8 ? 1 : 257;
    for (int i = 0; i < side_; ++i) {
      for (int j = 0; j < side_; ++j) {
        page.samples.push_back(static_cast<uint16_t>(
            scale * std::lround(print_.white -
                                Cover(i, j) * (print_.white - print_.black))));
      }
    }
    return page;
  }

 private:
  const Modules modules_;
  const Print print_;
  const int side_;
};

// Everything up to one and a half modules around the code is solid, and dark
// where it was; what is farther away than its quiet zone stays.
void ExpectSolid(const Modules& modules, const Print& print, TextEdges edges) {
  constexpr double kBeside = 1.5, kFar = 4.6;
  const Drawn drawn(modules, print);
  const Image page = drawn.Page();
  const Image out = Through(page, edges);
  const int white = print.depth == Depth::k8 ? 255 : 65535;
  for (int i = 0; i < out.rows; ++i) {
    for (int j = 0; j < out.width; ++j) {
      const auto [right, down] = drawn.Module(j + 0.5, i + 0.5);
      const double away = std::max(-std::min(right, down),
                                   std::max(right, down) - drawn.size());
      const int a = out.at(i, j);
      if (away > kFar && edges == TextEdges::kSoft) {
        ASSERT_EQ(a, page.at(i, j)) << i << ", " << j;
      }
      if (away > kBeside) continue;
      ASSERT_TRUE(a == 0 || a == white) << i << ", " << j << ": " << a;
      const double dark = drawn.Cover(i, j);
      if (std::abs(dark - 0.5) < 0.07) continue;
      ASSERT_EQ(a == 0, dark > 0.5) << i << ", " << j;
    }
  }
}

TEST(QrCodes, AreSolidAsAWholeInEverySizeToneAndDepth) {
  for (const double module : {1.7, 2.0, 2.6, 4.0, 6.3, 9.0}) {
    for (const auto& [black, white] :
         {std::pair{0, 230}, std::pair{60, 200}, std::pair{100, 255}}) {
      for (const Depth depth : {Depth::k8, Depth::k16}) {
        const Print print{module, 0, black, white, depth};
        ExpectSolid(kSmall, print, TextEdges::kSoft);
        ExpectSolid(kLarge, print,
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
      ExpectSolid(kSmall, print, TextEdges::kSoft);
      print.module = 5;
      ExpectSolid(kLarge, print, TextEdges::kSoft);
      if (HasFatalFailure()) FAIL() << quarters << ", " << degrees;
    }
  }
}

void ExpectUnchanged(const Image& page) {
  EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples);
}

TEST(QrCodes, StayAsTheyAreWhereTheStructureIsBroken) {
  // Finders that are not closed, and no clock.
  Modules open = kLarge, still = kLarge;
  for (const size_t left : {0u, 22u}) {
    for (const size_t i : {0u, 6u}) open[i].replace(left + 2, 3, "...");
  }
  for (size_t i = 8; i < 21; ++i) still[6][i] = still[i][6] = '#';
  for (const Modules& modules : {open, still}) {
    ExpectUnchanged(Drawn(modules, {}).Page());
  }
  // Two columns more than a code may have.
  Modules wide = kSmall;
  for (std::string& row : wide) row.insert(10, row.substr(8, 2));
  wide.push_back(wide[19]);
  wide.push_back(wide[20]);
  ExpectUnchanged(Drawn(wide, {}).Page());
}

TEST(QrCodes, AreNoneWhereOnlyFindersAre) {
  Modules modules(21, std::string(21, '.'));
  for (const auto& [top, left] : {std::pair{0, 0}, {0, 14}, {14, 0}}) {
    for (size_t i = 0; i < 7; ++i) {
      modules[static_cast<size_t>(top) + i].replace(static_cast<size_t>(left),
                                                    7, kSmall[i].substr(0, 7));
    }
  }
  ExpectUnchanged(Drawn(modules, {}).Page());
}

TEST(QrCodes, NeedTheirQuietZone) {
  const Print print{.module = 4};
  const Drawn drawn(kSmall, print);
  // Lines one module away, above both finders, or beside each of them.
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
    print.white = std::min(print.black + 30 + any(200), 230);  // no paper
    print.quarters = any(4);
    const Drawn drawn(n % 2 ? kSmall : kLarge, print);
    const Image page = drawn.Page();
    const Image out = Through(page, TextEdges::kSoft);
    if (out.samples == page.samples) {
      ++untouched;
      continue;
    }
    ++whole;
    for (int i = 0; i < out.rows; ++i) {
      for (int j = 0; j < out.width; ++j) {
        const auto [right, down] = drawn.Module(j + 0.5, i + 0.5);
        if (std::min(right, down) < 0) continue;
        if (std::max(right, down) > drawn.size()) continue;
        ASSERT_TRUE(out.at(i, j) == 0 || out.at(i, j) == 255)
            << n << ": " << i << ", " << j;
      }
    }
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
    Image page = Drawn(n % 2 ? kSmall : kLarge, print).Page();
    for (int k = any(3) ? 0 : any(200); k > 0; --k) {
      page.samples[random() % page.samples.size()] =
          static_cast<uint16_t>(any(256));
    }
    const Image whole = Through(page, TextEdges::kSoft, page.rows);
    changed += whole.samples != page.samples;
    for (const int32_t band : {1, 2, 7, 64}) {
      ASSERT_EQ(Through(page, TextEdges::kSoft, band).samples, whole.samples)
          << n << ", bands of " << band;
    }
  }
  EXPECT_GE(changed, 16) << "hardly any code is found";
}

}  // namespace
}  // namespace halftoned
