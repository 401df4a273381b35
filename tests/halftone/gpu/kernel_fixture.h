// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by tests of the kernels: random pages on the rig, compared with the
// definition.

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "halftone/gpu/host/session/handed_rows.h"
#include "tests/equality/difference.h"
#include "tests/equality/pages.h"
#include "tests/halftone/gpu/kernel_rig.h"

namespace halftoned::testing {

// Every kind of recipe that a single kernel serves.
inline const std::vector<Recipe::Parts>& KindsOfKernels() {
  static const auto* kinds = new std::vector<Recipe::Parts>([] {
    std::vector<Recipe::Parts> served = EveryOnePassKind();
    std::erase_if(served, [](const Recipe::Parts& kind) {
      return !cuda::FindKernel(*Recipe::Make(kind));
    });
    return served;
  }());
  return *kinds;
}

class CudaKernel : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { rig_ = std::make_unique<KernelRig>(); }
  static void TearDownTestSuite() { rig_.reset(); }
  void SetUp() override { RecordProperty("seed", std::to_string(seed_)); }

  void ExpectSame(const KernelRun& run) {
    const Page& page = run.gray.page;
    const BitPage expected = HalftoneWhole(
        run.gray, run.recipe,
        run.above ? *run.above : Carry::AtStart(run.recipe, page));
    const BitPage actual = rig_->Do(run);
    ASSERT_EQ(DescribeDifference(expected, actual, run.recipe, page), "")
        << Describe(run.recipe) << ", width " << page.width() << ", rows "
        << run.gray.rows << ", depth " << static_cast<int>(page.depth())
        << ", bands " << ::testing::PrintToString(run.bands) << ", overlap "
        << run.overlap << ", seed " << seed_;
  }

  // Geometry, recipe, content, carry and split are all random.
  void ExpectSameOnRandomPages(int count) {
    for (int i = 0; i < count && !HasFatalFailure(); ++i) {
      const Recipe recipe = RecipeOf(AnyKind(), kCurves[Pick(0, 3)]);
      const int32_t width = Pick(0, 3) == 0 ? Pick(1, 3000) : Pick(1, 300);
      const int32_t rows = Pick(1, 300);
      const GrayPage gray =
          MakePage(*Page::Make(width, Pick(0, 2) == 0 ? 16 : 8), rows,
                   kContents[Pick(0, 4)], random_);
      std::vector<int32_t> bands;
      for (int32_t left = rows; left > 0; left -= bands.back()) {
        bands.push_back(Pick(0, 1) == 0 ? left : Pick(1, left));
      }
      std::optional<Carry> above;
      if (Pick(0, 1) == 0) above = MakeCarry(recipe, gray.page, random_);
      ExpectSame({.gray = gray,
                  .recipe = recipe,
                  .above = above,
                  .bands = bands,
                  .overlap = Pick(0, 1) == 0 && bands.size() <= 8});
    }
  }

  int Pick(int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random_);
  }
  GrayPage Noise(int32_t width, int32_t rows, int depth = 8) {
    return MakePage(*Page::Make(width, depth), rows, Content::kNoise, random_);
  }
  Recipe RecipeOf(Recipe::Parts kind, CurveKind curve) {
    kind.curve = MakeCurve(curve, random_);
    return *Recipe::Make(kind);
  }
  const Recipe::Parts& AnyKind() {
    return KindsOfKernels()[static_cast<size_t>(
        Pick(0, static_cast<int>(KindsOfKernels().size()) - 1))];
  }

  static inline std::unique_ptr<KernelRig> rig_;
  const uint64_t seed_ = FreshSeed();
  Random random_{seed_};
};

inline Recipe PureFine() {
  Recipe::Parts parts = Recipe::PartsOf(Algorithm::kFine);
  parts.parameters[Recipe::kPure] = 1;
  return *Recipe::Make(parts);
}

}  // namespace halftoned::testing
