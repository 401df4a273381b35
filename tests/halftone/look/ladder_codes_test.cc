// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear bar codes with horizontal bars (ladder_codes.h): each becomes solid
// from its first bar to its last, however long it is, and nothing that only
// looks like one does.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "halftone/look/codes/bar_shapes.h"
#include "tests/halftone/look/code_widths.h"
#include "tests/halftone/look/drawn_code.h"
#include "tests/halftone/look/edges_stage.h"

namespace halftoned {
namespace {

// Bars that are `high` modules long.
Modules BarsOf(const std::string& widths, size_t high = 22) {
  std::string row;
  for (size_t i = 0; i < widths.size(); ++i) {
    row.append(static_cast<size_t>(widths[i] - '0'), i % 2 == 0 ? '#' : '.');
  }
  return Modules(high, row);
}

// Quiet zones are above and below the bars, not beside them.
void ExpectSolidBars(const std::string& widths, const Print& print,
                     TextEdges edges) {
  ExpectSolidCode(BarsOf(widths), print, edges, 0, 12);
}

TEST(LadderCodes, AreSolidAsAWholeInEverySizeToneAndDepth) {
  struct Case {
    const std::string& widths;
    double most;  // the largest module for which known rows suffice
  };
  for (const auto& [code, most] :
       {Case{kCode128, 8}, Case{kEan, 4}, Case{kItf, 4}}) {
    for (const double module : {1.7, 2.4, 3.3, 7.7}) {
      if (module > most) continue;
      for (const auto& [black, white, depth, quarters] :
           {std::tuple{0, 230, Depth::k8, 1},
            {30, 200, Depth::k16, 3},
            {100, 255, Depth::k8, 3}}) {
        Print print{module, 0, black, white, depth};
        print.quarters = quarters;
        ExpectSolidBars(code, print, TextEdges::kSoft);
        if (HasFatalFailure()) FAIL() << code << ", " << module;
      }
    }
  }
}

TEST(LadderCodes, MayBeTurned) {
  for (const std::string& code : {kCode128, kEan, kItf}) {
    for (const int quarters : {1, 3}) {
      for (const double degrees : {-4.0, -1.5, 2.5, 4.0}) {
        Print print{.module = 2.6, .degrees = degrees};
        print.quarters = quarters;
        ExpectSolidCode(BarsOf(code, 36), print, TextEdges::kSoft, 0, 12);
        if (HasFatalFailure()) FAIL() << code << ", " << degrees;
      }
    }
  }
}

void ExpectSameBars(const std::string& widths, size_t high = 22,
                    double module = 3.3, int quarters = 1) {
  Print print{.module = module};
  print.quarters = quarters;
  const SamplePage page = DrawnCode(BarsOf(widths, high), print).Page();
  EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples) << widths;
}

TEST(LadderCodes, StayAsTheyAreWhereTheirBeginIsBroken) {
  for (const std::string& code : {kCode128, kEan, kItf}) {
    // The page is rotated so that the last element is on top.
    for (const size_t i : {0u, 2u, 5u, 6u, 11u, 12u}) {
      for (const bool is_wider : {true, false}) {
        std::string other = code;
        char& element = other[code.size() - 1 - i];
        // A wide element of ITF can have any width.
        if (is_wider && code == kItf && element == '3') continue;
        if (is_wider) {
          element = static_cast<char>(element + 2);
        } else {
          other.erase(code.size() - 1 - i, 1);
        }
        ExpectSameBars(other);
      }
    }
  }
}

TEST(LadderCodes, AreNoneWhereStripesRepeatOrAreShort) {
  std::string grid, pairs, guards;
  for (int i = 0; i < 10; ++i) grid += "111111", pairs += "131113";
  for (int i = 0; i < 10; ++i) guards += "211214";
  for (const std::string& stripes : {grid + "1", pairs + "1", guards + "1",
                                     "111" + grid, "1111" + pairs + "311"}) {
    ExpectSameBars(stripes);
  }
  ExpectSameBars(kCode128, 5);
}

TEST(LadderCodes, AreNoneWhereStripesAreNoWholeModules) {
  // As an EAN with modules of 4 pixels and wide bars. The digits would have
  // pairs of 4.5 and 2.25 modules, so they only seem to differ.
  std::vector<int64_t> edges = {0};
  for (const char width : std::string("212421242124212")) {
    edges.push_back(edges.back() + (width - '0') * 3 * kPixel);
  }
  edges[11] += 12;
  EXPECT_EQ(ModuleOfBegin(edges, true), 0);
}

TEST(LadderCodes, AreNoneWhereTheSecondSymbolCannotBegin) {
  // Two of 11 modules are left for three elements.
  std::string stripes = "211232";
  for (int i = 0; i < 9; ++i) stripes += "3331";
  ExpectSameBars(stripes, 22, 5, 3);
}

TEST(LadderCodes, HaveLongBarsIfOnlyTheirStartIsKnown) {
  ExpectSameBars(kCode128, 11, 7.7, 3);
  Print print{.module = 7.7};
  print.quarters = 3;
  ExpectSolidCode(BarsOf(kCode128, 13), print, TextEdges::kSoft, 0, 12);
}

TEST(LadderCodes, NeedTheirQuietZone) {
  Print print{.module = 4};
  print.quarters = 1;
  SamplePage page = DrawnCode(BarsOf(kEan), print).Page();
  const int above = (page.rows - 95 * 4) / 2 - 4 * 4;
  for (int j = 0; j < page.width; ++j) page.at(above, j) = 60;
  EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples);
}

TEST(LadderCodes, AreWholeOrAsTheyWere) {
  std::mt19937 random(8);
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<uint32_t>(most));
  };
  int whole = 0, untouched = 0;
  for (int n = 0; n < 20; ++n) {
    std::string code = std::vector{kCode128, kEan, kItf}[random() % 3];
    if (any(5) == 0) std::swap(code[random() % 30], code[random() % 30]);
    Print print{1 + any(70) / 10.0, any(120) / 10.0 - 6, any(120)};
    print.white = std::min(print.black + 30 + any(200), 230);  // gray
    print.quarters = 1 + 2 * any(2);
    const Modules modules = BarsOf(code, 5 + static_cast<size_t>(any(40)));
    IsWholeOrUnchanged(modules, print) ? ++whole : ++untouched;
  }
  EXPECT_GE(whole, 5);
  EXPECT_GE(untouched, 5);
}

TEST(LadderCodes, DoNotDependOnBands) {
  std::mt19937 random(9);
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<uint32_t>(most));
  };
  int changed = 0;
  for (int n = 0; n < 12; ++n) {
    const std::string code = std::vector{kCode128, kEan, kItf}[random() % 3];
    Print print{1.6 + any(40) / 10.0, any(90) / 10.0 - 4.5, any(90),
                160 + any(96)};
    print.quarters = 1 + 2 * any(2);
    SamplePage page = DrawnCode(BarsOf(code, 20), print).Page();
    for (int k = any(3) ? 0 : any(200); k > 0; --k) {
      page.samples[random() % page.samples.size()] =
          static_cast<uint16_t>(any(256));
    }
    SCOPED_TRACE(n);
    changed += IsChangedInAnyBands(page, TextEdges::kSoft);
  }
  EXPECT_GE(changed, 8) << "hardly any code is found";
}

}  // namespace
}  // namespace halftoned
