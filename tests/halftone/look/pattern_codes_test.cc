// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PDF417 and GS1 DataBar (pattern_shapes.h): each becomes solid as a whole, at
// any multiple of 90 degrees, and nothing that only looks like one does.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "halftone/look/codes/pattern_shapes.h"
#include "tests/halftone/look/drawn_code.h"
#include "tests/halftone/look/edges_stage.h"

namespace halftoned {
namespace {

// As zint encoded them: "Page 12", 09501101530010, and an expanded code of the
// batch AB123. Widths of elements in modules, starting with a bar.
const std::vector<std::string> kPdf417 = {
    "8111111351111152211113261222241341111144711311121",
    "8111111351111323511113232113341241111216711311121",
    "8111111331111163116133111113124421111353711311121",
    "8111111321114251222314121316131111114243711311121",
    "8111111321113414111244132313331141113232711311121",
    "8111111341114114114213142154111241114411711311121",
    "8111111331123151222411141311131621123143711311121"};
const std::string kDataBar = "151115111355114121113213213113112832312132211";
const std::string kExpanded =
    "112212252184111113152311624111114631225111413261121364111";

std::string RowOf(const std::string& widths) {
  std::string row;
  for (size_t i = 0; i < widths.size(); ++i) {
    row.append(static_cast<size_t>(widths[i] - '0'), i % 2 == 0 ? '#' : '.');
  }
  return row;
}

// Each row is three modules high.
Modules StackedOf(const std::vector<std::string>& rows) {
  Modules modules;
  for (int times = 0; times < 2; ++times) {
    for (const std::string& row : rows)
      modules.insert(modules.end(), 3, RowOf(row));
  }
  return modules;
}

Modules BarsOfPattern(const std::string& widths) {
  return Modules(40, RowOf(widths));
}

std::vector<Modules> AllPatterns() {
  return {StackedOf(kPdf417), BarsOfPattern(kDataBar),
          BarsOfPattern(kExpanded)};
}

// The largest standing modules for which known rows suffice.
double MostStanding(const Modules& modules) {
  return modules == StackedOf(kPdf417) ? 5 : 4;
}

TEST(PatternCodes, AreSolidAsAWholeInEverySizeToneAndDepth) {
  for (const Modules& code : AllPatterns()) {
    for (const double module : {1.8, 2.4, 3.3, 3.9, 5.7}) {
      for (const int quarters : {0, 1, 2, 3}) {
        if (quarters % 2 == 1 && module > MostStanding(code)) continue;
        for (const auto& [black, white, depth] :
             {std::tuple{0, 230, Depth::k8}, {30, 200, Depth::k16}}) {
          Print print{module, 0, black, white, depth};
          print.quarters = quarters;
          ExpectSolidCode(code, print, TextEdges::kSoft, 0, 12);
          if (HasFatalFailure()) {
            FAIL() << code[0] << ", " << module << ", " << quarters;
          }
        }
      }
    }
  }
}

TEST(PatternCodes, MayBeTurned) {
  for (const Modules& code : AllPatterns()) {
    for (const int quarters : {0, 1, 2, 3}) {
      for (const double degrees : {-4.0, -1.5, 2.5, 4.0}) {
        Print print{.module = 2.6, .degrees = degrees};
        print.quarters = quarters;
        ExpectSolidCode(code, print, TextEdges::kSoft, 0, 12);
        if (HasFatalFailure()) {
          FAIL() << code[0] << ", " << degrees << ", " << quarters;
        }
      }
    }
  }
}

void ExpectSamePattern(const Modules& modules) {
  for (const int quarters : {0, 3}) {
    Print print{.module = 2.6};
    print.quarters = quarters;
    const SamplePage page = DrawnCode(modules, print).Page();
    EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples)
        << modules[0] << ", " << quarters;
  }
}

TEST(PatternCodes, StayAsTheyAreWhereTheirPatternsAreBroken) {
  for (const size_t i : {0u, 1u, 3u, 6u}) {
    std::vector<std::string> rows = kPdf417;
    for (std::string& row : rows) row[i] = static_cast<char>(row[i] + 2);
    ExpectSamePattern(StackedOf(rows));
    rows = kPdf417;
    for (std::string& row : rows) row.erase(i, 1);
    ExpectSamePattern(StackedOf(rows));
  }
  for (const std::string& code : {kDataBar, kExpanded}) {
    for (const size_t i : {2u, 6u, 10u, 11u}) {
      std::string other = code;
      other[i] = static_cast<char>(other[i] + 2);
      ExpectSamePattern(BarsOfPattern(other));
      other = code;
      other.erase(i, 1);
      ExpectSamePattern(BarsOfPattern(other));
    }
  }
}

TEST(PatternCodes, AreNoneInTablesWithoutTheirCharactersAndFinders) {
  struct Table {
    std::string rules;  // and the gaps between them
    double module;
  };
  // A character with an element of 9 modules; a finder with an element of 10.
  for (const Table& table :
       {Table{"11121119111919111", 4}, Table{"353U39393U3U393", 1}}) {
    Print print{.module = table.module, .black = 0};
    print.quarters = 3;
    const Modules rules(static_cast<size_t>(240 / table.module),
                        RowOf(table.rules));
    const SamplePage page = DrawnCode(rules, print).Page();
    EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples)
        << table.rules;
  }
}

TEST(PatternCodes, AreNoneWithoutTheirOtherEnd) {
  // Lying codes are found by both ends.
  std::vector<std::string> rows = kPdf417;
  for (std::string& row : rows) row.resize(row.size() - 9);
  for (const Modules& cut :
       {StackedOf(rows), BarsOfPattern(kDataBar.substr(0, 39)),
        BarsOfPattern(kExpanded.substr(0, 33))}) {
    const SamplePage page = DrawnCode(cut, {.module = 2.6}).Page();
    EXPECT_EQ(Through(page, TextEdges::kSoft).samples, page.samples) << cut[0];
  }
}

TEST(PatternCodes, BeginsOfAnyEdgesAreNone) {
  std::mt19937 random(5);
  int found = 0;
  for (int n = 0; n < 50'000; ++n) {
    std::vector<int64_t> edges{static_cast<int64_t>(random() % 9999)};
    const uint32_t module = 256 + random() % 2000;
    for (uint32_t left = random() % 60; left > 0; --left) {
      edges.push_back(edges.back() + int64_t{module} * (1 + random() % 4));
    }
    const int64_t seen = edges.back() + int64_t{module} * (random() % 4);
    found += PatternBeginOf(edges, 0).module != 0;
    found += PatternBeginOf(edges, seen).module != 0;
  }
  EXPECT_EQ(found, 0) << "random modules are codes";
}

TEST(PatternCodes, AreWholeOrAsTheyWere) {
  std::mt19937 random(8);
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<uint32_t>(most));
  };
  int whole = 0, untouched = 0;
  for (int n = 0; n < 30; ++n) {
    const Modules modules = AllPatterns()[random() % 3];
    Print print{1 + any(60) / 10.0, any(120) / 10.0 - 6, any(120)};
    print.white = std::min(print.black + 30 + any(200), 230);  // gray
    print.quarters = any(4);
    SCOPED_TRACE(n);
    IsWholeOrUnchanged(modules, print) ? ++whole : ++untouched;
  }
  EXPECT_GE(whole, 8);
  EXPECT_GE(untouched, 5);
}

TEST(PatternCodes, DoNotDependOnBands) {
  std::mt19937 random(9);
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<uint32_t>(most));
  };
  int changed = 0;
  for (int n = 0; n < 12; ++n) {
    Print print{1.6 + any(25) / 10.0, any(80) / 10.0 - 4, any(90),
                160 + any(96)};
    print.quarters = any(4);
    SamplePage page = DrawnCode(AllPatterns()[random() % 3], print).Page();
    for (int k = any(3) ? 0 : any(200); k > 0; --k) {
      page.samples[random() % page.samples.size()] =
          static_cast<uint16_t>(any(256));
    }
    SCOPED_TRACE(n);
    changed += IsChangedInAnyBands(page, TextEdges::kSoft);
  }
  EXPECT_GE(changed, 7) << "hardly any code is found";
}

}  // namespace
}  // namespace halftoned
