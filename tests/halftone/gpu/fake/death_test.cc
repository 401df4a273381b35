// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which faults are the end of a device, and what its owner is told of them.

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "halftone/gpu/host/cuda_engine.h"
#include "tests/equality/run_engine.h"
#include "tests/halftone/gpu/fake/fake_gpu.h"

namespace halftoned::testing {
namespace {

class GpuDeath : public ::testing::Test {
 protected:
  ~GpuDeath() override { ResetFakeGpu(); }

  // Opens a device by this plan and halftones a page on it. The error, if there
  // is one.
  std::string Run(const std::string& plan) {
    device_.reset();
    deaths_.clear();
    ResetFakeGpu(plan);
    CudaOptions options;
    options.on_death = [this](const CudaDeath& death) {
      const std::lock_guard lock(mutex_);
      deaths_.push_back(death);
    };
    auto device = OpenCudaDevice(0, options);
    if (!device.ok()) return device.error().message;
    device_ = std::move(*device);
    return RunPage();
  }
  std::string RunPage() {
    const auto made = RunEngine(CudaEngine(*device_), gray_, recipe_,
                                Carry::AtStart(recipe_, gray_.page),
                                {"in bands", {50, 50, 50, 50}, 2});
    if (made.ok()) return "";
    EXPECT_EQ(made.error().code, ErrorCode::kUnavailable);
    return made.error().message;
  }

  Random random_{FreshSeed()};
  const Recipe recipe_ = Recipe::FloydSteinberg();
  const GrayPage gray_ =
      MakePage(*Page::Make(100, 8), 200, Content::kNoise, random_);
  std::mutex mutex_;
  std::vector<CudaDeath> deaths_;
  std::unique_ptr<CudaDevice> device_;
};

TEST_F(GpuDeath, HasACauseAtAnyCall) {
  struct Fault {
    const char* name;
    const char* text;
    bool is_absent;
  };
  constexpr Fault kFaults[] = {{"broken", "an unspecified failure", false},
                               {"absent", "no device", true},
                               {"mismatch", "driver mismatch", true}};
  for (const char* call :
       {"attach:1", "attach:3", "learn:1", "device-memory:1", "pinned-memory:1",
        "stream:1", "stream:2", "event:1", "copy-up:1", "copy-up:3",
        "copy-down:1", "fill:1", "fill:2", "launch:2", "record:1", "follow:1",
        "wait:2", "drain:1"}) {
    for (const Fault& fault : kFaults) {
      const std::string plan = std::string(call) + "=" + fault.name;
      const std::string error = Run(plan);
      ASSERT_EQ(deaths_.size(), 1u) << plan;
      EXPECT_EQ(deaths_[0].is_absent, fault.is_absent) << plan;
      EXPECT_TRUE(deaths_[0].reason.starts_with("could not ")) << plan;
      EXPECT_TRUE(deaths_[0].reason.ends_with(fault.text)) << plan;
      // The page was there before its streams were drained.
      const bool is_late = plan.starts_with("drain");
      EXPECT_EQ(error, is_late ? "" : deaths_[0].reason) << plan;
      if (!device_) continue;
      EXPECT_TRUE(device_->is_dead()) << plan;
      EXPECT_FALSE(CudaEngine(*device_).Probe().ok()) << plan;
      EXPECT_EQ(RunPage(), "the GPU has failed in this process") << plan;
      EXPECT_EQ(deaths_.size(), 1u) << plan << ", told again";
    }
  }
}

TEST_F(GpuDeath, IsNotCausedByLackOfMemory) {
  for (const char* call : {"device-memory:1", "pinned-memory:1"}) {
    const std::string plan = std::string(call) + "=refused";
    EXPECT_TRUE(Run(plan).ends_with("out of memory")) << plan;
    EXPECT_TRUE(deaths_.empty()) << plan;
    EXPECT_FALSE(device_->is_dead()) << plan;
    EXPECT_EQ(RunPage(), "") << plan;
  }
}

TEST_F(GpuDeath, IsNotCausedByLackOfSharedMemory) {
  EXPECT_EQ(Run("small=yes"), "");
  const CudaEngine engine(*device_);
  EXPECT_TRUE(engine.Serves(Recipe::FloydSteinberg(16)).ok());
  EXPECT_TRUE(engine.Serves(Recipe::BiLevel()).ok());
  const Recipe fine = Recipe::Fine();
  EXPECT_EQ(engine.Serves(fine).error().message,
            "this GPU has too little shared memory for the recipe");
  EXPECT_FALSE(engine.Open({gray_.page, fine, {}, 50}).ok());
  EXPECT_TRUE(deaths_.empty());
}

TEST_F(GpuDeath, ByAKernelIsReportedByItsWaiter) {
  EXPECT_NE(Run("kernel:3=broken"), "");
  ASSERT_EQ(deaths_.size(), 1u);
  EXPECT_FALSE(deaths_[0].is_absent);
  EXPECT_TRUE(
      deaths_[0].reason.ends_with("an illegal memory access was encountered"));
}

}  // namespace
}  // namespace halftoned::testing
