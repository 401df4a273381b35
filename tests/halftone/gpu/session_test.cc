// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions on the GPU, through the same plans as for every engine.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "halftone/cpu/classic_table.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/gpu/host/cuda_engine.h"
#include "tests/equality/difference.h"
#include "tests/equality/run_engine.h"

namespace halftoned::testing {
namespace {

class CudaSessions : public ::testing::Test {
 protected:
  void SetUp() override {
    auto device = OpenCudaDevice(0);
    ASSERT_TRUE(device.ok()) << device.error().message;
    device_ = std::move(*device);
    engine_ = std::make_unique<CudaEngine>(*device_);
    std::erase_if(kinds_, [this](const Recipe::Parts& kind) {
      return !engine_->Serves(*Recipe::Make(kind)).ok();
    });
  }

  int Pick(int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random_);
  }
  Recipe AnyRecipe() {
    Recipe::Parts parts = kinds_[static_cast<size_t>(
        Pick(0, static_cast<int>(kinds_.size()) - 1))];
    parts.curve = MakeCurve(kCurves[Pick(0, 3)], random_);
    return *Recipe::Make(parts);
  }
  // `best`, by a number.
  Recipe AnyBest(int number) {
    constexpr int kStrengths[] = {0, 1, 77, 128, 255, 256};
    Recipe::Parts parts = Recipe::PartsOf(Algorithm::kBest);
    parts.parameters[Recipe::kPure] = number % 2;
    parts.parameters[Recipe::kFeedback] = kStrengths[number / 2 % 6];
    parts.curve = MakeCurve(kCurves[Pick(0, 2)], random_);
    return *Recipe::Make(parts);
  }

  std::unique_ptr<CudaDevice> device_;
  std::unique_ptr<CudaEngine> engine_;
  std::vector<Recipe::Parts> kinds_ = EveryKind();  // those that it serves
  const uint64_t seed_ = FreshSeed();
  Random random_{seed_};
};

void ExpectSame(const Engine& engine, const GrayPage& gray,
                const Recipe& recipe, const Carry& above,
                const std::vector<Plan>& plans, uint64_t seed) {
  const BitPage expected = HalftoneWhole(gray, recipe, above);
  CarriesBelow carries(gray, recipe, above);
  for (const Plan& plan : plans) {
    const auto actual = RunEngine(engine, carries, plan);
    ASSERT_TRUE(actual.ok()) << plan.name << ": " << actual.error().message;
    ASSERT_EQ(DescribeDifference(expected, *actual, recipe, gray.page), "")
        << plan.name << ", width " << gray.page.width() << ", rows "
        << gray.rows << ", " << Describe(recipe) << ", seed " << seed;
  }
}

TEST_F(CudaSessions, AreRefusedForClassicKernelsAndBestOfMoreLevelsAlone) {
  for (const Recipe::Parts& kind : EveryKind()) {
    const Recipe recipe = *Recipe::Make(kind);
    const auto session = engine_->Open({*Page::Make(10, 8), recipe, {}, 10});
    const bool is_classic =
        std::ranges::any_of(kClassicKernels, [&](const ClassicKernel& kernel) {
          return kernel.algorithm == kind.algorithm;
        });
    const bool is_best_of_levels =
        kind.algorithm == Algorithm::kBest && kind.levels > 2;
    EXPECT_EQ(session.ok(), !is_classic && !is_best_of_levels)
        << Describe(recipe);
    if (session.ok()) continue;
    EXPECT_EQ(session.error().message,
              "the GPU does not support " + std::string(recipe.name()) +
                  " with " + std::to_string(kind.levels) + " levels");
  }
}

TEST_F(CudaSessions, GiveTheBitsOfTheDefinitionHoweverAPageComes) {
  for (int i = 0; i < RandomPages(150) && !HasFatalFailure(); ++i) {
    const Recipe recipe = AnyRecipe();
    // A fake GPU searches for the dots of a large page for minutes.
    const bool is_wide = i % 10 == 0 && !recipe.looks_ahead();
    const int32_t rows = Pick(1, recipe.looks_ahead() ? 150 : 400);
    const GrayPage gray =
        MakePage(*Page::Make(Pick(1, is_wide ? 9000 : 700),
                             Pick(0, 1) == 0 ? 8 : 16, Pick(0, 1000)),
                 rows, kContents[Pick(0, 4)], random_);
    const Carry above = MakeCarry(recipe, gray.page, random_);
    ExpectSame(*engine_, gray, recipe, above, PlansFor(rows, random_), seed_);
  }
}

std::vector<int32_t> BandsUpTo(int32_t most, int32_t rows, Random& random) {
  std::vector<int32_t> bands;
  for (; rows > 0; rows -= bands.back()) {
    bands.push_back(std::uniform_int_distribution<int32_t>(
        1, std::min(rows, most))(random));
  }
  return bands;
}

std::vector<int32_t> BandsOf(int32_t most, int32_t rows) {
  std::vector<int32_t> bands;
  for (; rows > 0; rows -= bands.back()) bands.push_back(std::min(rows, most));
  return bands;
}

std::vector<int32_t> HighAndLow(int32_t rows) {
  std::vector<int32_t> bands(static_cast<size_t>(rows / 4 + 1), 1);
  bands.front() = rows - rows / 4;
  return bands;
}

TEST_F(CudaSessions, OfPagesThatLookAheadGoOnAnywhere) {
  Pool pool(2);
  const EngineList local = LocalEngines(pool);
  for (int i = 0; i < RandomPages(60) && !HasFatalFailure(); ++i) {
    const Recipe recipe = AnyBest(i);
    const bool is_wide = i % 7 == 0;
    const int32_t rows = Pick(1, is_wide ? 150 : 300);
    const GrayPage gray =
        MakePage(*Page::Make(is_wide ? Pick(1, 3000) : Pick(1, 300),
                             Pick(0, 1) == 0 ? 8 : 16, 16 * Pick(0, 3)),
                 rows, kContents[Pick(0, 5)], random_);
    const Carry above = MakeCarry(recipe, gray.page, random_);
    const Engine* processors = *ChooseEngine(local, "auto", recipe);
    const auto bands = [&](int32_t most) {
      return BandsUpTo(most, rows, random_);
    };
    ExpectSame(*engine_, gray, recipe, above,
               {{"low bands", bands(4), 6},
                {"bands of any height", bands(200), Pick(0, 6)},
                {"low bands below a high one", HighAndLow(rows), 2, true},
                {"two bands a session", bands(120), 1, false, 2},
                {"to processors", bands(150), 1, false, 2, true, processors}},
               seed_);
    ExpectSame(*processors, gray, recipe, above,
               {{"to the GPU", bands(150), 1, true, 2, true, engine_.get()}},
               seed_);
  }
}

TEST_F(CudaSessions, OfPagesThatLookAheadHaveBandsOfAnyHeight) {
  for (int i = 0; i < RandomPages(36) && !HasFatalFailure(); ++i) {
    const Recipe recipe = AnyBest(i);
    const int32_t rows = Pick(64, 150);
    const GrayPage gray =
        MakePage(*Page::Make(i % 9 == 0 ? Pick(1200, 1500) : Pick(1, 400), 8),
                 rows, kContents[Pick(0, 5)], random_);
    ExpectSame(*engine_, gray, recipe, Carry::AtStart(recipe, gray.page),
               {{"bands of 1 row", BandsOf(1, rows), 6},
                {"bands of 2 rows", BandsOf(2, rows), 3},
                {"bands of 7 rows", BandsOf(7, rows), 5, true},
                {"bands of 64 rows", BandsOf(64, rows), 1}},
               seed_);
  }
}

TEST_F(CudaSessions, OfManyPagesAtOnceShareTheGpu) {
  std::vector<std::thread> clients;
  for (uint64_t client = 0; client < 8; ++client) {
    clients.emplace_back([&, client] {
      Random random(seed_ + client);
      const Recipe recipe =
          client % 4 == 3   ? Recipe::FloydSteinberg(16)
          : client % 4 == 2 ? *Recipe::Make(Recipe::PartsOf(Algorithm::kBest))
          : client % 2 == 0 ? Recipe::FloydSteinberg()
                            : Recipe::Fine();
      for (int i = 0; i < RandomPages(80) / 8; ++i) {
        const auto width = static_cast<int32_t>(500 + random() % 3000);
        const auto rows = static_cast<int32_t>(300 + random() % 700);
        const GrayPage gray =
            MakePage(*Page::Make(width, 8), rows, Content::kNoise, random);
        Plan plan{"many at once", {}, 5};
        for (int32_t left = rows; left > 0; left -= plan.bands.back()) {
          plan.bands.push_back(std::min(left, 100));
        }
        ExpectSame(*engine_, gray, recipe, MakeCarry(recipe, gray.page, random),
                   {plan}, seed_ + client);
      }
    });
  }
  for (std::thread& client : clients) client.join();
}

TEST_F(CudaSessions, CanBeDroppedAtAnyTime) {
  const Recipe recipe = Recipe::FloydSteinberg();
  const Page page = *Page::Make(3000, 8);
  for (int bands = 0; bands < 8; ++bands) {
    auto session = engine_->Open({page, recipe, {}, 200});
    ASSERT_TRUE(session.ok());
    for (int i = 0; i < bands; ++i) {
      const auto room = (*session)->Lend();
      ASSERT_TRUE(room.ok());
      std::fill_n(room->bytes, room->bytes_per_row * 200, std::byte{77});
      ASSERT_TRUE((*session)->Submit(200, false).ok());
    }
    if (bands > 3) {
      ASSERT_TRUE((*session)->Take().ok());
    }
  }
  const GrayPage gray = MakePage(page, 300, Content::kNoise, random_);
  ExpectSame(*engine_, gray, recipe, Carry::AtStart(recipe, page),
             {Plan{"after it", {300}}}, seed_);
}

TEST(CudaDevice, RefusesASessionBeyondItsMemory) {
  const auto small =
      OpenCudaDevice(0, {{.device_bytes = 1 << 20, .pinned_bytes = 1 << 20}});
  ASSERT_TRUE(small.ok());
  const auto session = (*small)->Open(
      {*Page::Make(5000, 8), Recipe::FloydSteinberg(), {}, 1000});
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code, ErrorCode::kUnavailable);
}

TEST(CudaDevice, ForgetsWhatItKeepsForLaterPagesToHoldMemory) {
  constexpr size_t kPinned = size_t{32} << 20;
  const auto device = OpenCudaDevice(0, {{.pinned_bytes = kPinned}});
  ASSERT_TRUE(device.ok());
  const PageOrder order{
      *Page::Make(1000, 8), Recipe::FloydSteinberg(), {}, 1000};
  std::vector<std::byte> memory(kPinned - 4096);
  auto session = (*device)->Open(order);
  ASSERT_TRUE(session.ok());
  EXPECT_FALSE((*device)->Hold(memory, true).ok());
  session->reset();
  EXPECT_TRUE((*device)->Hold(memory, true).ok());
}

TEST(CudaDevice, ThatDoesNotExistIsUnavailable) {
  const auto device = OpenCudaDevice(4711);
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace halftoned::testing
