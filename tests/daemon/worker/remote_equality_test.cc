// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages through a worker, with the ring and without, compared with the
// definition, by the same plans as for every engine; by one of them each where
// HALFTONED_RANDOM_PAGES is below 20. Counters prove that the worker did it.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/daemon/worker/test_worker.h"
#include "tests/equality/difference.h"
#include "tests/equality/pages.h"
#include "tests/equality/run_engine.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {
namespace {

class RemoteEquality : public ::testing::TestWithParam<bool> {
 protected:
  wire::RemoteOptions Options() const {
    wire::RemoteOptions options = worker_.options();
    options.use_ring = GetParam();
    return options;
  }

  void Check(const wire::RemoteEngine& engine, int width, int rows, int depth,
             Recipe::Parts parts) {
    parts.curve = MakeCurve(CurveKind::kAnything, random_);
    const Recipe recipe = *Recipe::Make(parts);
    const Page page = *Page::Make(width, depth, 77);
    const GrayPage gray = MakePage(page, rows, Content::kNoise, random_);
    const Carry above = MakeCarry(recipe, page, random_);
    const BitPage expected = HalftoneWhole(gray, recipe, above);
    CarriesBelow carries(gray, recipe, above);
    std::vector<Plan> plans = PlansFor(rows, random_);
    if (tries_fewer_) plans = {plans[++next_ % plans.size()]};
    for (Plan& plan : plans) {
      plan.poisons_answers = !GetParam();
      const auto actual = RunEngine(engine, carries, plan);
      ASSERT_TRUE(actual.ok()) << actual.error().message << ": " << plan.name;
      ASSERT_EQ(DescribeDifference(expected, *actual, recipe, page), "")
          << plan.name << ", seed " << seed_;
      ASSERT_EQ(expected.below, actual->below) << plan.name;
    }
    rows_ += static_cast<uint64_t>(rows) * plans.size();
  }

  const bool tries_fewer_ = RandomPages(200) < 20;
  const uint64_t seed_ = FreshSeed();
  Random random_{seed_};
  size_t next_ = random_();  // plan
  TestWorker worker_;
  uint64_t rows_ = 0;
};

TEST_P(RemoteEquality, GivesTheSameBitsAndCarriesOverOneConnection) {
  const wire::RemoteEngine engine(Options());
  for (const int width : {1, 2, 63, 64, 65, 500, 2049}) {
    for (const int depth : {8, 16}) {
      for (int i = 0; i < (tries_fewer_ ? 1 : 3); ++i) {
        const auto& kind = EveryKind()[random_() % EveryKind().size()];
        Check(engine, width, 1 + static_cast<int>(random_() % 200), depth,
              kind);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_EQ(worker_.Ask().counters.rows, rows_) << "the worker did not do all";
}

TEST_P(RemoteEquality, ServesEveryRecipe) {
  const wire::RemoteEngine engine(Options());
  for (const Recipe::Parts& kind : EveryKind()) {
    Check(engine, 131, 70, 8, kind);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(worker_.Ask().counters.rows, rows_) << "the worker did not do all";
}

INSTANTIATE_TEST_SUITE_P(RingAndInline, RemoteEquality, ::testing::Bool(),
                         [](const auto& which) {
                           return which.param ? "Ring" : "Inline";
                         });

}  // namespace
}  // namespace halftoned::testing
