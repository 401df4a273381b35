// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear bar codes (linear_codes.h): each becomes solid as a whole, with soft
// and with barcode, and nothing that only looks like one does.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "halftone/look/codes/bar_shapes.h"
#include "tests/halftone/look/code_widths.h"
#include "tests/halftone/look/edges_definition.h"
#include "tests/halftone/look/edges_stage.h"

namespace halftoned {
namespace {

using Image = SamplePage;

struct Bars {
  double module = 2.4, lean = 0;  // pixels, pixels per row
  int black = 30, white = 200;
  Depth depth = Depth::k8;
  int high = 90;
};

constexpr int kAbove = 70;

int HighestOf(const Bars& look) {
  return look.depth == Depth::k8 ? 255 : 65535;
}

// Where the first bar starts in a row.
double LeftOf(const Bars& look, int row) {
  return 80 + look.lean * (row < kAbove ? 0 : row - kAbove);
}

// How much of the page's pixels the bars cover, row by row.
std::vector<double> CoverOf(const std::string& widths, const Bars& look,
                            int width, int rows) {
  std::vector<double> cover(static_cast<size_t>(width * rows), 0);
  for (int i = kAbove; i < kAbove + look.high; ++i) {
    double left = LeftOf(look, i);
    for (size_t k = 0; k < widths.size(); ++k) {
      const double right = left + (widths[k] - '0') * look.module;
      for (int j = static_cast<int>(left); k % 2 == 0 && j < right; ++j) {
        cover[static_cast<size_t>(i * width + j)] +=
            std::min(right, j + 1.0) - std::max(left, double(j));
      }
      left = right;
    }
  }
  return cover;
}

Image PageOf(const std::string& widths, const Bars& look,
             std::vector<double>* cover_of = nullptr) {
  double modules = 0;
  for (const char a : widths) modules += a - '0';
  const int width = static_cast<int>(modules * look.module) + 180;
  Image page{width, 2 * kAbove + look.high, look.depth, {}};
  const auto cover = CoverOf(widths, look, width, page.rows);
  const int scale = look.depth == Depth::k8 ? 1 : 257;
  for (const double a : cover) {
    page.samples.push_back(static_cast<uint16_t>(
        scale * std::lround(look.white - a * (look.white - look.black))));
  }
  if (cover_of) *cover_of = cover;
  return page;
}

// In the rows of the bars, from 4 modules before them to 4 modules after,
// pixels are solid, and the bars are where they were.
void ExpectSolid(const std::string& widths, const Bars& look, TextEdges edges) {
  std::vector<double> cover;
  const Image page = PageOf(widths, look, &cover);
  const Image out = Through(page, edges);
  ASSERT_EQ(out.rows, page.rows);
  const int beside = static_cast<int>(4 * look.module);
  for (int i = kAbove; i < kAbove + look.high; ++i) {
    const int left = static_cast<int>(LeftOf(look, i)) - beside;
    const int right = page.width - 100 + beside +
                      static_cast<int>(std::floor(LeftOf(look, i))) - 80;
    for (int j = left; j < std::min(right, page.width); ++j) {
      const uint16_t a = out.at(i, j);
      ASSERT_TRUE(a == 0 || a == HighestOf(look)) << i << ", " << j;
      const double dark = cover[page.Index(i, j)];
      if (std::abs(dark - 0.5) < 0.05) continue;
      ASSERT_EQ(a == 0, dark > 0.5) << i << ", " << j;
    }
  }
}

TEST(BarCodes, AreSolidAsAWholeInEverySizeToneAndDepth) {
  for (const std::string& code : {kCode128, kEan, kItf}) {
    for (const double module : {1.7, 2.4, 4.0, 5.3, 9.0}) {
      for (const Depth depth : {Depth::k8, Depth::k16}) {
        for (const auto& [black, white] :
             {std::pair{0, 255}, std::pair{30, 200}, std::pair{100, 230}}) {
          const Bars look{module, 0, black, white, depth};
          ExpectSolid(code, look, TextEdges::kSoft);
          ExpectSolid(code, look, TextEdges::kBarcode);
          if (HasFatalFailure()) FAIL() << code << ", " << module;
        }
      }
    }
  }
}

TEST(BarCodes, GetNoDarkLineInTheirBars) {
  const Image page = PageOf(kCode128, {.module = 5, .black = 90, .white = 255});
  const auto kernels = simd::FastestPureKernels(page.depth);
  const auto out = [&](bool darkens_strokes) {
    return Through(page, ToneCurve(), TextEdges::kSoft, 64, 100, kernels,
                   darkens_strokes)
        .samples;
  };
  EXPECT_EQ(out(true), out(false));
}

TEST(BarCodes, MayLeanAndStandOnTheirHeads) {
  for (const double lean : {-0.07, -0.03, 0.02, 0.07}) {
    for (std::string code : {kCode128, kEan, kItf}) {
      ExpectSolid(code, {.lean = lean}, TextEdges::kSoft);
      std::ranges::reverse(code);
      ExpectSolid(code, {.lean = lean}, TextEdges::kSoft);
      if (HasFatalFailure()) FAIL() << code << ", " << lean;
    }
  }
}

TEST(BarCodes, StayAsTheyAreWhereTheStructureIsBroken) {
  for (const std::string& code : {kCode128, kEan, kItf}) {
    for (size_t i = 0; i < code.size(); i += 5) {
      // An element is two modules wider, or missing.
      for (const bool is_wider : {true, false}) {
        // A wide element of ITF can have any width.
        if (is_wider && code == kItf && code[i] == '3') continue;
        std::string other = code;
        if (is_wider) {
          other[i] = static_cast<char>(other[i] + 2);
        } else {
          other.erase(i, 1);
        }
        const Image page = PageOf(other, {});
        EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples)
            << code << ", " << i << ", " << is_wider;
      }
    }
  }
}

TEST(BarCodes, AreNoneWhereStripesRepeatOrAreLow) {
  std::string grid, pairs, guards;
  for (int i = 0; i < 10; ++i) grid += "111111", pairs += "131113";
  for (int i = 0; i < 10; ++i) guards += "211214";
  for (const std::string& stripes :
       {grid + "1", pairs + "1", guards + "2331112", "111" + grid.substr(4)}) {
    const Image page = PageOf(stripes, {});
    EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples) << stripes;
  }
  const Image low = PageOf(kEan, {.high = 15});
  EXPECT_EQ(Through(low, TextEdges::kSoft).samples, low.samples);
}

TEST(BarCodes, NeedTheirQuietZone) {
  for (const int column : {85 - 8, 80 - 5}) {
    Image page = PageOf(kEan, {});
    for (int i = 0; i < page.rows; ++i) page.at(i, column) = 30;
    EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples) << column;
  }
}

// Bars of two codes, maybe broken, some noise, and rows without gray.
Image Random(std::mt19937& random) {
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<uint32_t>(most));
  };
  std::string code = std::vector{kCode128, kEan, kItf}[random() % 3];
  if (any(4) == 0) code[random() % code.size()] = '2';
  Bars look{1.5 + any(40) / 10.0, (any(15) - 7) / 100.0, any(100),
            150 + any(106)};
  look.high = 10 + any(150);
  Image page = PageOf(code, look);
  const size_t noise = random() % 3 == 0 ? random() % page.samples.size() : 0;
  for (size_t n = 0; n < noise; n += 40) {
    page.samples[random() % page.samples.size()] =
        static_cast<uint16_t>(any(256));
  }
  const int cut = any(page.rows);
  for (int i = cut; i < std::min(cut + any(20), page.rows); ++i) {
    for (int j = 0; j < page.width; ++j) page.at(i, j) = 255;
  }
  return page;
}

TEST(BarCodes, AreWholeOrAsTheyWere) {
  std::mt19937 random(6);
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<uint32_t>(most));
  };
  int whole = 0, untouched = 0;
  for (int n = 0; n < 150; ++n) {
    std::string code = std::vector{kCode128, kEan, kItf}[random() % 3];
    if (any(5) == 0) std::swap(code[random() % 30], code[random() % 30]);
    Bars look{1 + any(90) / 10.0, (any(25) - 12) / 100.0, any(120)};
    look.white = std::min(look.black + 40 + any(200), 230);  // no paper
    look.high = 10 + any(250);
    const Image page = PageOf(code, look);
    const Image out = Through(page, TextEdges::kSoft);
    if (out.samples == page.samples) {
      ++untouched;
      continue;
    }
    ++whole;
    for (int i = kAbove; i < kAbove + look.high; ++i) {
      const int left = static_cast<int>(LeftOf(look, i));
      for (int j = left; j < std::min(left + page.width - 180, page.width);
           ++j) {
        ASSERT_TRUE(out.at(i, j) == 0 || out.at(i, j) == 255)
            << n << ": " << i << ", " << j;
      }
    }
  }
  EXPECT_GE(whole, 30);
  EXPECT_GE(untouched, 30);
}

TEST(BarCodes, DoNotDependOnBands) {
  std::mt19937 random(3);
  int changed = 0;
  for (int n = 0; n < 40; ++n) {
    const Image page = Random(random);
    for (const TextEdges edges : {TextEdges::kSoft, TextEdges::kBarcode}) {
      SCOPED_TRACE(n);
      changed += IsChangedInAnyBands(page, edges);
    }
  }
  EXPECT_GE(changed, 40) << "hardly any code is found";
}

TEST(BarCodes, ShapesOfAnyEdgesAreNoneOrHaveAModule) {
  std::mt19937 random(5);
  int found = 0;
  for (int n = 0; n < 50'000; ++n) {
    std::vector<int64_t> edges{static_cast<int64_t>(random() % 9999)};
    const size_t count = 44 + 2 * (random() % 20);
    const uint32_t module = 1 + random() % 2000;
    while (edges.size() < count) {
      edges.push_back(edges.back() + int64_t{module} * (1 + random() % 4));
    }
    found += ModuleOf(edges) != 0;
  }
  EXPECT_EQ(found, 0) << "random modules are codes";
}

}  // namespace
}  // namespace halftoned
