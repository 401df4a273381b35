// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The equality suite through the C library, with a recipe of each type: by
// bands, by rows, and by one call. HALFTONED_SEED=n repeats a run;
// HALFTONED_RANDOM_PAGES below 200 tries fewer plans, below 20 fewer pages.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "halftone/look/edges/crisp_edges.h"
#include "halftone/look/halftone_type.h"
#include "tests/equality/difference.h"
#include "tests/equality/pages.h"
#include "tests/equality/run_engine.h"
#include "tests/library/library_engine.h"

namespace halftoned::testing {
namespace {

// A string of options, and the look that it stands for.
struct Case {
  std::string options;
  std::function<void(Look&)> set;
  double dots_per_inch = 0;  // of a printer that has not been measured
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"halftone-type=floyd-steinberg",
       [](Look& look) { look.algorithm = Algorithm::kFloydSteinberg; }},
      {"levels=4", [](Look& look) { look.levels = 4; }},
      {"levels=8 gamma=1.7",
       [](Look& look) {
         look.levels = 8;
         look.gamma = 1.7;
       }},
      {"halftone-levels=16,halftone-type=auto",
       [](Look& look) { look.levels = 16; }},
      {"halftone-type=floyd-steinberg levels=16",
       [](Look& look) {
         look.algorithm = Algorithm::kFloydSteinberg;
         look.levels = 16;
       }},
      {"halftone-type=fine levels=4 text-edges=crisp",
       [](Look& look) {
         look.algorithm = Algorithm::kFine;
         look.levels = 4;
         look.text_edges = TextEdges::kCrisp;
       }},
      {"", [](Look&) {}},
      {"halftone-type=fine,dpi=600,black-point=32",
       [](Look& look) {
         look.algorithm = Algorithm::kFine;
         look.black_point = 32;
       },
       600},
      {"halftone-type=clustered,tone-aim=display dpi=1200",
       [](Look& look) {
         look.algorithm = Algorithm::kClustered;
         look.aim = ToneAim::kDisplay;
       },
       1200},
      {"dot-gain=12,halftone-type=Clustered\tcluster-size=5",
       [](Look& look) {
         look.algorithm = Algorithm::kClustered;
         look.cluster_size = 5;
         look.dot_gain = 12;
       }},
      {"halftone-type=fine,print-feedback=75,dpi=600",
       [](Look& look) {
         look.algorithm = Algorithm::kFine;
         look.print_feedback = 75;
       },
       600},
      {"halftone-type=best,gamma=1.2",
       [](Look& look) {
         look.algorithm = Algorithm::kBest;
         look.gamma = 1.2;
       }},
      {"halftone-type=best,print-feedback=60,dpi=600",
       [](Look& look) {
         look.algorithm = Algorithm::kBest;
         look.print_feedback = 60;
       },
       600},
      {"halftone-type=best,text-edges=barcode",
       [](Look& look) {
         look.algorithm = Algorithm::kBest;
         look.text_edges = TextEdges::kBarcode;
       }},
      {"halftone-type=screen,screen-lpi=65,screen-angle=15,levels=4",
       [](Look& look) {
         look.algorithm = Algorithm::kScreen;
         look.screen_lpi = 65;
         look.screen_angle = 15;
         look.levels = 4;
       }},
      {"min-run=3,text-edges=soft",
       [](Look& look) {
         look.algorithm = Algorithm::kJarvis;
         look.min_run = 3;
         look.text_edges = TextEdges::kSoft;
       }},
      {"dpi=1200", [](Look& look) { look.algorithm = Algorithm::kScreen; },
       1200},
      {"halftone-type=bi-level,contrast=20",
       [](Look& look) {
         look.algorithm = Algorithm::kBiLevel;
         look.contrast = 20;
       }},
      {"dpi=300x600dpi,technology=inkjet,text-edges=soft",
       [](Look& look) {
         look.technology = Technology::kInkjet;
         look.text_edges = TextEdges::kSoft;
       },
       450},
  };
  return cases;
}

Look LookOf(const Case& one) {
  Look look;
  one.set(look);
  return look;
}

Recipe RecipeOf(const Case& one) {
  const Look look = LookOf(one);
  Recipe::Parts parts = *PartsOf(
      look, look.levels, look.has_crisp_edges(),
      one.dots_per_inch > 0 ? DotsPerInch{one.dots_per_inch, one.dots_per_inch}
                            : DotsPerInch());
  std::optional<ToneCurve> correction;
  if (one.dots_per_inch > 0) {
    correction = *TypicalCurveFor(parts, look.technology, one.dots_per_inch);
  }
  parts.curve = *CurveFor(parts, look, correction);
  return *Recipe::Make(parts);
}

// The page after crisp edges, by the stage of the other programs.
GrayPage WithCrispEdges(const GrayPage& gray, const Recipe& recipe,
                        TextEdges kind) {
  class PageSource : public Source {
   public:
    explicit PageSource(const GrayPage& page) : page_(page) {}
    Result<Filled> Read(GrayRoom room) override {
      const int32_t rows = std::min(room.rows, page_.rows - row_);
      std::memcpy(room.bytes,
                  page_.samples.data() +
                      static_cast<size_t>(row_) * page_.bytes_per_row(),
                  page_.bytes_per_row() * static_cast<size_t>(rows));
      row_ += rows;
      return Filled{rows, row_ == page_.rows};
    }

   private:
    const GrayPage& page_;
    int32_t row_ = 0;
  };
  GrayPage crisp = gray;
  PageSource source(gray);
  CrispEdges edges(source, gray.page, recipe, kind);
  EXPECT_EQ(
      edges.Read({crisp.samples.data(), crisp.bytes_per_row(), crisp.rows})
          ->rows,
      gray.rows);
  return crisp;
}

class LibraryEquality : public ::testing::TestWithParam<size_t> {
 protected:
  // What all ways of the library give is what the definition gives.
  void Check(const LibraryEngine& library, const Page& page, int32_t rows,
             Content content) {
    const GrayPage gray = MakePage(page, rows, content, random_);
    const GrayPage made = WithCrispEdges(gray, recipe_, look_.text_edges);
    const Carry start = Carry::AtStart(recipe_, page);
    const BitPage expected = HalftoneWhole(made, recipe_, start);
    const auto check = [&](std::vector<std::byte> bits, const char* way) {
      const BitPage actual{expected.bytes_per_row, std::move(bits),
                           expected.below};
      ASSERT_EQ(actual.bytes.size(), expected.bytes.size()) << way;
      EXPECT_EQ(DescribeDifference(expected, actual, recipe_, page), "")
          << way << ", " << case_.options << ", " << rows << " rows, seed "
          << seed_;
    };
    check(library.Whole(gray), "at once");
    check(library.Whole(gray, 6), "at once, with gaps");
    check(library.Whole(gray, 0, 17), "at once, in bands");
    check(library.ByRows(gray), "by rows");
    check(library.ByRows(gray, 1), "by rows, bands of one");
    std::vector<Plan> plans = PlansFor(rows, random_);
    std::ranges::shuffle(plans, random_);
    plans.resize(RandomPages(200) < 200 ? 1 : 3);
    for (const Plan& plan : plans) {
      check(library.ByBands(gray, plan.bands), plan.name.c_str());
      if (look_.has_crisp_edges()) continue;  // there are no carries
      const auto actual = RunEngine(library, gray, recipe_, start, plan);
      ASSERT_TRUE(actual.ok()) << plan.name << ": " << actual.error().message;
      check(actual->bytes, plan.name.c_str());
      EXPECT_EQ(actual->below, expected.below);
    }
  }

  const Case& case_ = Cases()[GetParam()];
  const Look look_ = LookOf(case_);
  const Recipe recipe_ = RecipeOf(case_);
  const uint64_t seed_ = FreshSeed();
  Random random_{seed_};
};

TEST_P(LibraryEquality, EveryWayGivesTheBitsOfTheDefinition) {
  for (const int threads : {1, 3}) {
    const LibraryEngine library("auto", threads, case_.options);
    for (const int depth : {8, 16}) {
      if (RandomPages(200) < 20 && (depth == 8) != (threads == 1)) continue;
      Check(library, *Page::Make(391, depth, 77), 150, Content::kNoise);
      Check(library, *Page::Make(130, depth), 67, Content::kExtremes);
      Check(library, *Page::Make(700, depth), 90, Content::kIslands);
      Check(library, *Page::Make(5, depth), 1, Content::kNoise);
      Check(library, *Page::Make(64, depth), 2, Content::kIslands);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(LibraryEquality, TheScalarEngineToo) {
  const LibraryEngine library("scalar", 1, case_.options);
  Check(library, *Page::Make(200, 8), 70, Content::kIslands);
}

// Wide enough for threads to share its bands.
TEST_P(LibraryEquality, ThreadsShareAWidePage) {
  const LibraryEngine library(nullptr, 3, case_.options);
  const GrayPage gray =
      MakePage(*Page::Make(4000, 8), 130, Content::kNoise, random_);
  const LibraryEngine alone(nullptr, 1, case_.options);
  EXPECT_TRUE(library.Whole(gray) == alone.Whole(gray)) << "seed " << seed_;
  EXPECT_TRUE(library.ByRows(gray) == alone.ByRows(gray)) << "seed " << seed_;
}

INSTANTIATE_TEST_SUITE_P(Recipes, LibraryEquality,
                         ::testing::Range(size_t{0}, Cases().size()));

}  // namespace
}  // namespace halftoned::testing
