// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A method that only the definition knows: every other engine refuses it, and
// so does whatever passes recipes on.

#include "tests/halftone/toy/toy_method.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "control/control.h"
#include "daemon/supervisor/workers/choice.h"
#include "daemon/worker/recipe_kinds.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/gpu/host/cuda_engine.h"
#include "halftone/run/checked.h"
#include "tests/daemon/worker/test_worker.h"
#include "tests/equality/difference.h"
#include "tests/equality/run_engine.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {
namespace {

PageOrder ToyOrder(bool is_pure, int bits) {
  return {*Page::Make(100, bits), ToyRecipe(is_pure), std::nullopt, 20};
}

// What an engine that does not know the method says.
void ExpectRefuses(const Engine& engine) {
  for (const bool is_pure : {false, true}) {
    for (const int bits : {8, 16}) {
      const auto opened = engine.Open(ToyOrder(is_pure, bits));
      ASSERT_FALSE(opened.ok()) << engine.name();
      EXPECT_EQ(opened.error().code, ErrorCode::kUnavailable) << engine.name();
    }
  }
}

// An engine that knows nothing of what it passes on.
class Passing : public Engine {
 public:
  explicit Passing(const Engine& engine) : engine_(engine) {}
  std::string_view name() const override { return engine_.name(); }
  std::string_view needs() const override { return engine_.needs(); }
  int priority() const override { return engine_.priority(); }
  Result<void> Probe() const override { return engine_.Probe(); }
  Result<void> Serves(const Recipe& recipe) const override {
    return engine_.Serves(recipe);
  }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    return engine_.Open(order);
  }

 private:
  const Engine& engine_;
};

class ToyMethod : public ::testing::Test {
 protected:
  // Those that do not know it.
  EngineList Others() const {
    EngineList others;
    for (const auto& engine : engines_) {
      if (engine->name() == "scalar") continue;
      others.push_back(std::make_unique<Passing>(*engine));
    }
    return others;
  }

  Pool pool_{1};
  const EngineList engines_ = LocalEngines(pool_);
};

TEST_F(ToyMethod, IsRefusedByEveryEngineButTheDefinition) {
  ASSERT_GE(Others().size(), 2u);
  for (const auto& engine : Others()) {
    ASSERT_TRUE(engine->Serves(Recipe::FloydSteinberg()).ok());
    for (const bool is_pure : {false, true}) {
      const Result<void> serves = engine->Serves(ToyRecipe(is_pure));
      ASSERT_FALSE(serves.ok()) << engine->name();
      EXPECT_EQ(serves.error().code, ErrorCode::kUnavailable);
    }
    if (engine->Probe().ok()) ExpectRefuses(*engine);
  }
}

TEST_F(ToyMethod, IsMadeByTheDefinitionWhereAnyEngineWillDo) {
  Random random(FreshSeed());
  for (const bool is_pure : {false, true}) {
    const Recipe recipe = ToyRecipe(is_pure);
    const auto engine = ChooseEngine(engines_, "auto", recipe);
    ASSERT_TRUE(engine.ok());
    EXPECT_EQ((*engine)->name(), "scalar");
    const GrayPage gray =
        MakePage(*Page::Make(131, 8), 200, Content::kNoise, random);
    const Carry above = MakeCarry(recipe, gray.page, random);
    const BitPage expected = HalftoneWhole(gray, recipe, above);
    const auto made =
        RunEngine(**engine, gray, recipe, above, {"in bands", {60, 1, 139}, 2});
    ASSERT_TRUE(made.ok());
    EXPECT_EQ(DescribeDifference(expected, *made, recipe, gray.page), "");
    EXPECT_EQ(expected.below, made->below);
  }
}

TEST_F(ToyMethod, IsRefusedByAGpuWhetherItsBandsAreCheckedOrNot) {
  const auto device = OpenCudaDevice(0);
  ASSERT_TRUE(device.ok());
  const auto opened = (*device)->Open(ToyOrder(false, 8));
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::kUnavailable);
  const CudaEngine gpu(**device);
  EXPECT_FALSE(gpu.Serves(ToyRecipe()).ok());
  ExpectRefuses(gpu);
  const auto scalar = ChooseEngine(engines_, "scalar", ToyRecipe());
  const CheckedEngine checked(gpu, **scalar, {.one_in = 1});
  EXPECT_FALSE(checked.Serves(ToyRecipe()).ok());
  ExpectRefuses(checked);
}

TEST_F(ToyMethod, GoesToNoWorkerThatDoesNotSayThatItServesIt) {
  const auto device = OpenCudaDevice(0);
  ASSERT_TRUE(device.ok());
  EngineList gpu;
  gpu.push_back(std::make_unique<CudaEngine>(**device));
  const daemon::Ready with_gpu{.recipe_kinds = daemon::KindsServedBy(gpu)};
  const daemon::Ready with_others{.recipe_kinds =
                                      daemon::KindsServedBy(Others())};
  const daemon::Ready with_all{.recipe_kinds = daemon::KindsServedBy(engines_)};
  const uint32_t known = KindOf(Recipe::Fine().parts());
  for (const bool is_pure : {false, true}) {
    const uint32_t kind = KindOf(ToyRecipe(is_pure).parts());
    EXPECT_FALSE(daemon::Ready().Serves(kind));
    EXPECT_TRUE(with_gpu.Serves(known));
    EXPECT_FALSE(with_gpu.Serves(kind));
    EXPECT_FALSE(with_others.Serves(kind));
    EXPECT_TRUE(with_all.Serves(kind));
    const daemon::Candidate of_gpu{
        .number = 1, .priority = 1, .serves = with_gpu.Serves(kind)};
    const daemon::Candidate of_all{.number = 2,
                                   .serves = with_all.Serves(kind)};
    EXPECT_EQ(daemon::ChooseWorker(std::vector{of_gpu, of_all}, 0, 0), 2u);
    EXPECT_EQ(daemon::ChooseWorker(std::vector{of_gpu}, 0, 0), 0u);
  }
}

TEST_F(ToyMethod, IsRefusedByARemoteWorkerThatDoesNotServeIt) {
  const EngineList others = Others();
  TestWorker::Setting setting;
  setting.engines = &others;
  TestWorker worker(setting);
  const wire::RemoteEngine remote(worker.options());
  for (const bool is_pure : {false, true}) {
    // A refusal comes with the first answer at the latest.
    auto opened = remote.Open(ToyOrder(is_pure, 8));
    Result<void> result;
    if (opened.ok()) {
      const auto room = (*opened)->Lend();
      ASSERT_TRUE(room.ok());
      std::fill_n(room->row(0), 100, std::byte{99});
      result = (*opened)->Submit(1, true);
      if (result.ok()) {
        const auto taken = (*opened)->Take();
        if (!taken.ok()) result = taken.error();
      }
    } else {
      result = opened.error();
    }
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(result.error().message,
              "the daemon refused: no engine here supports toy");
  }
}

}  // namespace
}  // namespace halftoned::testing
