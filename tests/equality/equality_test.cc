// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every engine of this machine, compared with the definition bit by bit.
// Engines that are listed in LocalEngines take part.
//
// HALFTONED_SEED=n repeats a run; HALFTONED_RANDOM_PAGES=n sets how many
// random pages are tried, and below 200 how many of the sizes up to 130; below
// 20, each test tries a sample of its cases that differs from run to run.
// HALFTONED_PICTURES=folder is where differences are drawn.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "halftone/cpu/local_engines.h"
#include "halftone/cpu/simd/core.h"
#include "tests/equality/difference.h"
#include "tests/equality/oracle.h"
#include "tests/equality/pages.h"
#include "tests/equality/run_engine.h"

namespace halftoned::testing {
namespace {

bool IsShort() { return RandomPages(200) < 20; }

// Where vector cores are not watched, the fastest of them stands for all.
bool IsWatched([[maybe_unused]] std::string_view name) {
#ifdef HALFTONED_UNWATCHED_CORES
  const bool has_cores = std::ranges::any_of(
      simd::Targets(), [&](const auto& target) { return target.name == name; });
  return !has_cores || name == PureRowsEngine()->name();
#else
  return true;
#endif
}

// Without threads of its own; only used for the engines' names.
std::vector<std::string> EngineNames() {
  Pool pool(1);
  std::vector<std::string> names;
  for (const auto& engine : LocalEngines(pool)) {
    if (IsWatched(engine->name())) names.emplace_back(engine->name());
  }
  return names;
}

class Equality : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto engine =
        ChooseEngine(engines_, GetParam(), Recipe::FloydSteinberg());
    if (!engine.ok()) GTEST_SKIP() << engine.error().message;
    engine_ = *engine;
    for (const Recipe::Parts& parts : EveryKind()) {
      if (engine_->Serves(*Recipe::Make(parts)).ok()) kinds_.push_back(parts);
    }
    RecordProperty("seed", std::to_string(seed_));
  }

  // One page, by all of the plans.
  void Check(const GrayPage& gray, const Recipe& recipe, const Carry& above,
             const std::vector<Plan>& plans) {
    const BitPage expected = HalftoneWhole(gray, recipe, above);
    CarriesBelow carries(gray, recipe, above);
    for (const Plan& plan : plans) {
      CheckPlan(carries, plan, expected);
      if (HasFatalFailure()) return;
    }
  }

  void CheckPlan(CarriesBelow& carries, const Plan& plan,
                 const BitPage& expected) {
    const GrayPage& gray = carries.gray();
    const Recipe& recipe = carries.recipe();
    const auto actual = RunEngine(*engine_, carries, plan);
    const std::string what =
        plan.name + ", seed " + std::to_string(seed_) + ", " +
        std::to_string(gray.page.width()) + " x " + std::to_string(gray.rows) +
        ", " + std::to_string(static_cast<int>(gray.page.depth())) + " bits, " +
        Describe(recipe);
    ASSERT_TRUE(actual.ok()) << actual.error().message << ": " << what;
    ASSERT_EQ(DescribeDifference(expected, *actual, recipe, gray.page), "")
        << what;
    ASSERT_EQ(expected.below, actual->below) << "the carry, " << what;
  }

  int Uniform(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random_);
  }

  // Everything but the size is random.
  void CheckRandomPage(int width, int rows) {
    CheckRandomPage(width, rows, kContents[random_() % std::size(kContents)]);
  }

  void CheckRandomPage(int width, int rows, Content content) {
    const Page page =
        *Page::Make(width, random_() % 2 ? 8 : 16,
                    random_() % 2 ? 0 : static_cast<int>(random_() % 5000));
    const Recipe recipe = DrawRecipe();
    const GrayPage gray = MakePage(page, rows, content, random_);
    const Carry above = random_() % 2 ? MakeCarry(recipe, page, random_)
                                      : Carry::AtStart(recipe, page);
    const auto plans = PlansFor(rows, random_);
    Check(gray, recipe, above, {plans[random_() % plans.size()]});
  }

  // A value that keeps an error at `error` where neighbors of that error
  // give `weights` sixteenths of theirs; of several the most extreme.
  static int ValueThatKeeps(int error, int weights, const Levels& levels) {
    const int collected = (weights * error + 8) >> 4;
    int keeps = -1;
    for (int i = 0; i < levels.count; ++i) {
      const int k = error > 0 ? i : levels.count - 1 - i;
      const int s = levels.value[static_cast<size_t>(k)] + error;
      const int value = s - collected;
      const auto below = levels.midpoint.begin() + levels.count - 1;
      const auto level = std::count_if(levels.midpoint.begin(), below,
                                       [s](int m) { return s > m; });
      if (level == k && value >= 0 && value <= kWhite) keeps = value;
    }
    return keeps;
  }

  void CheckStandstill(int depth, int level_count, int error) {
    constexpr int kWidth = 300;
    constexpr int kRows = 140;
    const Levels levels = Levels::ForCount(level_count);
    const auto needed = [&](int weights) {
      const int value = ValueThatKeeps(error, weights, levels);
      EXPECT_GE(value, 0) << "no value keeps the error";
      return value;
    };
    // Samples 1, 2 and 3 mean what the first column, the inside and the last
    // column need; the curve says so.
    Recipe::Parts parts;
    parts.levels = level_count;
    ToneCurve::Table table = parts.curve.table();
    table[16] = static_cast<uint16_t>(needed(5 + 3));
    table[32] = static_cast<uint16_t>(needed(16));
    table[48] = static_cast<uint16_t>(needed(7 + 1 + 5));
    parts.curve = *ToneCurve::FromTable(table);
    const Recipe recipe = *Recipe::Make(parts);
    const Page page = *Page::Make(kWidth, depth);
    const GrayPage gray = StandstillPage(page, kRows);
    Carry above = Carry::AtStart(recipe, page);
    std::ranges::fill(above.plane(0), static_cast<int16_t>(error));
    ASSERT_EQ(HalftoneWhole(gray, recipe, above).below.plane(0)[kWidth / 2],
              error)
        << "the page does not do what it is for";
    Check(gray, recipe, above, PlansFor(kRows, random_));
  }

  // Samples 1, 2, 2 … 2, 3 in each row, as 8 bits have them.
  static GrayPage StandstillPage(const Page& page, int32_t rows) {
    GrayPage gray{page, rows, {}};
    gray.samples.resize(gray.bytes_per_row() * static_cast<size_t>(rows));
    const int32_t width = page.width();
    for (int32_t i = 0; i < rows; ++i) {
      for (int32_t j = 0; j < width; ++j) {
        const int sample = j == 0 ? 1 : j == width - 1 ? 3 : 2;
        for (size_t b = 0; b < BytesPerSample(page.depth()); ++b) {
          gray.samples[(static_cast<size_t>(i) * static_cast<size_t>(width) +
                        static_cast<size_t>(j)) *
                           BytesPerSample(page.depth()) +
                       b] = static_cast<std::byte>(sample);
        }
      }
    }
    return gray;
  }

  // A page that one engine begins and every other engine continues.
  void CheckMoves(const Recipe& recipe) {
    const int rows = IsShort() ? 100 : 200;
    const int first = IsShort() ? 33 : 77;
    const Page page = *Page::Make(IsShort() ? 131 : 391, 8, 5);
    const GrayPage gray = MakePage(page, rows, Content::kNoise, random_);
    const Carry start = Carry::AtStart(recipe, page);
    std::vector<Plan> plans;
    for (const auto& other : engines_) {
      // Plans of other tests continue in the same engine.
      if (other.get() == engine_) continue;
      if (!other->Probe().ok() || !other->Serves(recipe).ok()) continue;
      if (!IsWatched(other->name())) continue;
      plans.push_back({.name = "to " + std::string(other->name()),
                       .bands = {first, rows - first},
                       .bands_per_session = 1,
                       .moves_to = other.get()});
    }
    Check(gray, recipe, start, plans);
  }

  Recipe DrawRecipe() {
    return WithCurve(kinds_[random_() % kinds_.size()],
                     kCurves[random_() % std::size(kCurves)]);
  }

  Recipe WithCurve(Recipe::Parts parts, CurveKind kind) {
    parts.curve = MakeCurve(kind, random_);
    return *Recipe::Make(parts);
  }

  Pool pool_{2};
  EngineList engines_ = LocalEngines(pool_);
  const Engine* engine_ = nullptr;
  std::vector<Recipe::Parts> kinds_;  // that it serves
  const uint64_t seed_ = FreshSeed();
  Random random_{seed_};
};

TEST_P(Equality, EveryWidthAndHeightUpTo130) {
  // All pairs would take a debug build minutes; every width meets every
  // height within a few runs.
  const int every = std::max(1400 / std::max(RandomPages(200), 1), 7);
  for (int width = 1; width <= 130; ++width) {
    for (int rows = Uniform(1, every); rows <= 130; rows += every) {
      CheckRandomPage(width, rows);
      if (HasFatalFailure()) return;
    }
  }
}

// In short, of each recipe one depth and content.
TEST_P(Equality, EveryRecipeDepthAndContent) {
  for (const Recipe::Parts& kind : kinds_) {
    const int chosen_depth = random_() % 2 ? 8 : 16;
    const Content chosen = kContents[random_() % std::size(kContents)];
    for (int depth : {8, 16}) {
      for (Content content : kContents) {
        if (IsShort() && (depth != chosen_depth || content != chosen)) continue;
        const CurveKind curve = kCurves[random_() % std::size(kCurves)];
        SCOPED_TRACE(std::string(NameOf(curve)) + " curve, " +
                     std::string(NameOf(content)));
        const Page page = *Page::Make(IsShort() ? 131 : 317, depth);
        const int rows = std::clamp(RandomPages(200), 75, 150);
        const Recipe recipe = WithCurve(kind, curve);
        Check(MakePage(page, rows, content, random_), recipe,
              MakeCarry(recipe, page, random_),
              {PlansFor(rows, random_)[random_() % 2]});
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Pages that keep every error at its bound: from a carry of the largest
// errors, whole rows of white that just miss the next level, and the same for
// the smallest. Sums reach the ends of 16 bits here, and nowhere else.
TEST_P(Equality, ErrorsThatStayAtTheirBounds) {
  for (int depth : {8, 16}) {
    for (int count : {2, 4, 8, 16}) {
      for (bool largest : {true, false}) {
        const Levels levels = Levels::ForCount(count);
        const int error = largest ? levels.max_error : levels.min_error;
        CheckStandstill(depth, count, error);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// In short runs, each recipe takes one plan, on a narrow page, and recipes take
// turns at the plans.
TEST_P(Equality, EveryRecipeAndPlan) {
  size_t next = random_();
  for (const Recipe::Parts& kind : kinds_) {
    const Page page =
        *Page::Make(IsShort() ? 131 : 391, random_() % 2 ? 8 : 16, 77);
    const int rows = std::clamp(RandomPages(200), 100, 300);
    const GrayPage gray = MakePage(page, rows, Content::kNoise, random_);
    const Recipe recipe =
        WithCurve(kind, kCurves[random_() % std::size(kCurves)]);
    const Carry above = MakeCarry(recipe, page, random_);
    std::vector<Plan> plans = PlansFor(gray.rows, random_);
    if (IsShort()) plans = {plans[++next % plans.size()]};
    Check(gray, recipe, above, plans);
    if (HasFatalFailure()) return;
  }
}

TEST_P(Equality, APageMayMoveToEveryOtherEngine) {
  for (const Recipe::Parts& kind : kinds_) {
    CheckMoves(WithCurve(kind, CurveKind::kIdentity));
    if (HasFatalFailure()) return;
  }
}

TEST_P(Equality, OddWidthsAboveAndTheLargest) {
  for (int width : {131, 191, 255, 256, 257, 511, 513, 1023, 2047, 4096, 4097,
                    4960, 9921, 65537, Page::kMaxWidth}) {
    for (int rows : {1, 3, 67, 130}) {
      if (width > 60000 && rows > 3) continue;
      if (IsShort() && (rows > 67 || (width > 5000 && rows > 3))) continue;
      CheckRandomPage(width, rows);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(Equality, TallPages) {
  for (int width : {1, 2, 63, 300}) {
    if (IsShort() && width > 63) continue;
    const Page page = *Page::Make(width, 8);
    const Recipe recipe = DrawRecipe();
    const Carry start = Carry::AtStart(recipe, page);
    Check(MakePage(page, 5000, Content::kNoise, random_), recipe, start,
          {Plan{"the whole page at once", {5000}}});
    CheckRandomPage(width, 5000);
    if (HasFatalFailure()) return;
  }
}

TEST_P(Equality, IslandsOfGrayInPurePages) {
  for (int i = RandomPages(200) / 4; i > 0; --i) {
    const auto width = static_cast<int>(random_() % 5000) + 600;
    const auto rows = static_cast<int>(random_() % 300) + 1;
    CheckRandomPage(width, rows, Content::kIslands);
    if (HasFatalFailure()) return;
  }
}

TEST_P(Equality, RandomPages) {
  for (int i = RandomPages(200); i > 0; --i) {
    const auto width = static_cast<int>(random_() % 1500) + 1;
    const auto rows = static_cast<int>(random_() % 400) + 1;
    CheckRandomPage(width, rows);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, Equality, ::testing::ValuesIn(EngineNames()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace halftoned::testing
