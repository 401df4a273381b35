// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits do not depend on threads: every engine with 1 … 8 of them, several
// sessions at once, in random order. HALFTONED_THREADS=n is the maximum.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "tests/equality/difference.h"
#include "tests/equality/oracle.h"
#include "tests/equality/pages.h"
#include "tests/equality/run_engine.h"

namespace halftoned::testing {
namespace {

class Shuffled : public Pool::Order {
 public:
  explicit Shuffled(uint64_t seed) : random_(seed) {}
  size_t Next(size_t waiting) override { return random_() % waiting; }

 private:
  Random random_;
};

// A page, its expected output and its actual output.
struct Case {
  GrayPage gray;
  Recipe recipe;
  Carry above;
  Plan plan;
  BitPage expected;
  std::string difference;
};

class ThreadsTest : public ::testing::Test {
 protected:
  Case Draw(const Engine& engine, int width, int rows) {
    const Page page = *Page::Make(width, random_() % 4 ? 8 : 16);
    Recipe::Parts parts;
    do {
      parts = EveryKind()[random_() % EveryKind().size()];
    } while (!engine.Serves(*Recipe::Make(parts)).ok());
    parts.curve = MakeCurve(kCurves[random_() % std::size(kCurves)], random_);
    const Recipe recipe = *Recipe::Make(parts);
    const Carry above = MakeCarry(recipe, page, random_);
    GrayPage gray =
        MakePage(page, rows,
                 random_() % 2 ? Content::kNoise : Content::kIslands, random_);
    const auto plans = PlansFor(rows, random_);
    Plan plan = plans[random_() % plans.size()];
    BitPage expected = HalftoneWhole(gray, recipe, above);
    return {std::move(gray),     recipe, above, std::move(plan),
            std::move(expected), ""};
  }

  static void Run(const Engine& engine, Case& c) {
    const auto actual = RunEngine(engine, c.gray, c.recipe, c.above, c.plan);
    c.difference = !actual.ok() ? actual.error().message
                                : DescribeDifference(c.expected, *actual,
                                                     c.recipe, c.gray.page);
    if (c.difference.empty() && c.expected.below != actual->below) {
      c.difference = "the carry differs";
    }
    if (!c.difference.empty()) c.difference += ": " + c.plan.name;
  }

  const uint64_t seed_ = FreshSeed();
  Random random_{seed_};
};

TEST_F(ThreadsTest, AnyNumberOfThreadsAndSessionsGivesTheSameBits) {
  const char* named = std::getenv("HALFTONED_THREADS");  // NOLINT
  const int most = named ? std::atoi(named) : 8;
  ASSERT_GT(most, 0);
  for (int threads = 1; threads <= most; ++threads) {
    Pool pool(threads, std::make_unique<Shuffled>(random_()));
    for (const auto& engine : LocalEngines(pool)) {
      if (!engine->Probe().ok()) continue;
      std::vector<Case> cases;
      cases.push_back(
          Draw(*engine, 1024 + static_cast<int>(random_() % 900), 520));
      cases.push_back(Draw(*engine, 2048, 384));
      cases.push_back(Draw(*engine, 1 + static_cast<int>(random_() % 300), 90));
      std::vector<std::thread> users;
      for (Case& c : cases) {
        users.emplace_back([&] { Run(*engine, c); });
      }
      for (std::thread& user : users) user.join();
      for (const Case& c : cases) {
        EXPECT_EQ(c.difference, "")
            << engine->name() << ", " << threads << " threads, "
            << Describe(c.recipe) << ", seed " << seed_;
      }
    }
  }
}

TEST_F(ThreadsTest, ASessionThatIsDroppedLeavesTheOthersTheirBits) {
  Pool pool(3, std::make_unique<Shuffled>(random_()));
  for (const auto& engine : LocalEngines(pool)) {
    if (!engine->Probe().ok()) continue;
    Case c = Draw(*engine, 1500, 400);
    for (int i = 0; i < 5; ++i) {
      auto opened = engine->Open(
          {*Page::Make(3000, 8), Recipe::FloydSteinberg(), {}, 256});
      ASSERT_TRUE(opened.ok());
      const auto dropped = std::move(*opened);
      ASSERT_TRUE(dropped->Lend().ok());
      ASSERT_TRUE(dropped->Submit(256, false).ok());
      if (i == 2) Run(*engine, c);
    }
    EXPECT_EQ(c.difference, "") << engine->name() << ", seed " << seed_;
  }
}

}  // namespace
}  // namespace halftoned::testing
