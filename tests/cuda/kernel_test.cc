// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels against the definition, bit for bit and state for state.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/cuda/kernel_rig.h"
#include "tests/equality/difference.h"
#include "tests/equality/pages.h"

namespace halftoned::testing {
namespace {

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
        << run.overlap << ", chaos " << run.chaos << ", seed " << seed_;
  }

  // Geometry, recipe, content, carry and split all at random.
  void ExpectSameOnRandomPages(int count, bool chaos);

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
    return EveryKind()[static_cast<size_t>(
        Pick(0, static_cast<int>(EveryKind().size()) - 1))];
  }

  static std::unique_ptr<KernelRig> rig_;
  const uint64_t seed_ = FreshSeed();
  Random random_{seed_};
};
std::unique_ptr<KernelRig> CudaKernel::rig_;

Recipe PureFine() {
  Recipe::Parts parts;
  parts.algorithm = Algorithm::kFine;
  parts.parameters[Recipe::kPure] = 1;
  return *Recipe::Make(parts);
}

TEST_F(CudaKernel, GivesTheBitsOfTheDefinitionOnEverySmallPage) {
  const Recipe recipe = Recipe::FloydSteinberg();
  for (int32_t width = 1; width <= 130; ++width) {
    for (int32_t rows = 1; rows <= 130; ++rows) {
      ExpectSame({.gray = Noise(width, rows), .recipe = recipe});
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(CudaKernel, GivesTheBitsOfEveryKindOfRecipeOnSmallPages) {
  for (const Recipe::Parts& kind : EveryKind()) {
    const Recipe recipe = *Recipe::Make(kind);
    for (int32_t width = 1; width <= 130; ++width) {
      for (int32_t rows : {Pick(1, 31), Pick(32, 64), Pick(65, 130)}) {
        const GrayPage gray = Noise(width, rows);
        ExpectSame({.gray = gray,
                    .recipe = recipe,
                    .above = MakeCarry(recipe, gray.page, random_)});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(CudaKernel, ServesEveryDepthKindCurveAndContent) {
  for (int depth : {8, 16}) {
    for (const Recipe::Parts& kind : EveryKind()) {
      for (CurveKind curve : kCurves) {
        for (Content content : kContents) {
          for (int32_t width : {Pick(1, 40), Pick(41, 300), 777}) {
            const Recipe recipe = RecipeOf(kind, curve);
            const GrayPage gray = MakePage(*Page::Make(width, depth),
                                           Pick(1, 150), content, random_);
            ExpectSame({.gray = gray,
                        .recipe = recipe,
                        .above = MakeCarry(recipe, gray.page, random_)});
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST_F(CudaKernel, ServesEveryWidthUpToTheWidest) {
  for (int32_t width : {131,
                        185,
                        187,
                        188,
                        189,
                        191,
                        192,
                        193,
                        199,
                        200,
                        255,
                        256,
                        257,
                        1023,
                        1025,
                        4097,
                        4961,
                        16383,
                        65537,
                        Page::kMaxWidth - 1,
                        Page::kMaxWidth}) {
    for (int depth : {8, 16}) {
      for (const Recipe& recipe :
           {Recipe::FloydSteinberg(), Recipe::FloydSteinberg(16),
            Recipe::Fine(), Recipe::BiLevel()}) {
        const GrayPage gray = Noise(width, width > 5000 ? 67 : 131, depth);
        ExpectSame({.gray = gray,
                    .recipe = recipe,
                    .above = MakeCarry(recipe, gray.page, random_)});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(CudaKernel, GivesTheSameBitsHoweverAPageIsSplit) {
  const std::vector<std::vector<int32_t>> splits = {
      {200},           {1, 199},       {199, 1},
      {64, 64, 64, 8}, {63, 65, 72},   {65, 63, 72},
      {128, 72},       {2, 2, 2, 194}, {32, 32, 32, 104},
      {1, 1, 1, 197},  {150, 1, 49},   {31, 33, 136},
      {64, 136},       {192, 8},       {5, 59, 1, 63, 72},
      {199, 1}};
  for (const Recipe::Parts& kind : EveryKind()) {
    const Recipe recipe = *Recipe::Make(kind);
    for (int32_t width : {1, Pick(2, 100), 129, 700}) {
      const GrayPage gray = Noise(width, 200);
      const Carry above = MakeCarry(recipe, gray.page, random_);
      for (const auto& bands : splits) {
        for (bool overlap : {false, true}) {
          ExpectSame({.gray = gray,
                      .recipe = recipe,
                      .above = above,
                      .bands = bands,
                      .overlap = overlap});
          if (HasFatalFailure()) return;
        }
      }
      ExpectSame({.gray = gray,
                  .recipe = recipe,
                  .above = above,
                  .bands = std::vector<int32_t>(200, 1)});
    }
  }
}

TEST_F(CudaKernel, ABandMayStartBeforeTheBandAboveIt) {
  for (const Recipe& recipe : {Recipe::FloydSteinberg(), PureFine()}) {
    for (int32_t width : {40, 600, 5000}) {
      ExpectSame({.gray = Noise(width, 800),
                  .recipe = recipe,
                  .bands = std::vector<int32_t>(8, 100),
                  .overlap = true,
                  .backwards = true});
    }
  }
}

void CudaKernel::ExpectSameOnRandomPages(int count, bool chaos) {
  for (int i = 0; i < count && !HasFatalFailure(); ++i) {
    const Recipe recipe = RecipeOf(AnyKind(), kCurves[Pick(0, 3)]);
    const int32_t width = Pick(0, 3) == 0 ? Pick(1, 3000) : Pick(1, 300);
    const int32_t rows = Pick(1, 300);
    const GrayPage gray = MakePage(*Page::Make(width, Pick(0, 2) == 0 ? 16 : 8),
                                   rows, kContents[Pick(0, 4)], random_);
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
                .overlap = Pick(0, 1) == 0 && bands.size() <= 8,
                .chaos = chaos ? static_cast<uint32_t>(random_()) | 1u : 0});
  }
}

TEST_F(CudaKernel, GivesTheBitsOfTheDefinitionOnThousandsOfRandomPages) {
  ExpectSameOnRandomPages(RandomPages(5000), false);
}

TEST_F(CudaKernel, GivesTheSameBitsWhenItsWarpsDawdle) {
  ExpectSameOnRandomPages(RandomPages(2000), true);
}

TEST_F(CudaKernel, GivesTheSameBitsTenThousandTimesThroughDawdlingHandOffs) {
  for (const Recipe& recipe : {Recipe::FloydSteinberg(), PureFine()}) {
    const GrayPage gray = Noise(260, 190);
    const Carry start = Carry::AtStart(recipe, gray.page);
    const BitPage expected = HalftoneWhole(gray, recipe, start);
    for (uint32_t repeat = 1; repeat <= 10000; ++repeat) {
      const BitPage actual = rig_->Do({.gray = gray,
                                       .recipe = recipe,
                                       .bands = {70, 64, 56},
                                       .overlap = true,
                                       .chaos = repeat});
      ASSERT_EQ(DescribeDifference(expected, actual, recipe, gray.page), "")
          << Describe(recipe) << ", repeat " << repeat << ", seed " << seed_;
    }
  }
}

TEST_F(CudaKernel, HalftonesPagesOfDifferentSizesInOneLaunch) {
  for (Recipe::Parts kind :
       {Recipe::Parts(), PureFine().parts(), Recipe::BiLevel().parts()}) {
    const Recipe recipe = RecipeOf(kind, CurveKind::kGamma);
    std::vector<GrayPage> pages;
    for (int32_t i = 0; i < 32; ++i) {
      pages.push_back(Noise(1 + 97 * i, 1 + 53 * i, i % 3 == 0 ? 16 : 8));
    }
    std::vector<KernelRun> runs;
    for (const GrayPage& gray : pages) {
      runs.push_back({.gray = gray, .recipe = recipe});
    }
    const std::vector<BitPage> actual = rig_->DoBatch(runs);
    for (size_t i = 0; i < runs.size(); ++i) {
      const Page& page = pages[i].page;
      const BitPage expected =
          HalftoneWhole(pages[i], recipe, Carry::AtStart(recipe, page));
      EXPECT_EQ(DescribeDifference(expected, actual[i], recipe, page), "")
          << Describe(recipe) << ", page " << i << ", seed " << seed_;
    }
  }
}

TEST_F(CudaKernel, HalftonesMoreStripsThanFitAtOnce) {
  for (const Recipe& recipe : {Recipe::FloydSteinberg(), PureFine()}) {
    ExpectSame({.gray = Noise(70, 64 * 3000 + 1), .recipe = recipe});
  }
}

TEST_F(CudaKernel, GivesUpOnACarryThatNeverComes) {
  const GrayPage gray = Noise(500, 300);
  EXPECT_TRUE(rig_->GivesUp(gray, Recipe::FloydSteinberg(), false));
  EXPECT_TRUE(rig_->GivesUp(gray, PureFine(), false));
}

TEST_F(CudaKernel, GivesUpWhenItIsCalledOff) {
  const GrayPage gray = Noise(500, 300);
  EXPECT_TRUE(rig_->GivesUp(gray, Recipe::FloydSteinberg(), true));
  EXPECT_TRUE(rig_->GivesUp(gray, PureFine(), true));
}

}  // namespace
}  // namespace halftoned::testing
