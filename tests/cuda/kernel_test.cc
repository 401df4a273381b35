// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel against the definition, bit for bit and error for error.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/cuda/kernel_rig.h"
#include "tests/equality/difference.h"
#include "tests/equality/pages.h"

namespace halftoned::testing {
namespace {

constexpr int kLevels[] = {2, 4, 8, 16};

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
        << "width " << page.width() << ", rows " << run.gray.rows << ", levels "
        << run.recipe.levels().count << ", depth "
        << static_cast<int>(page.depth()) << ", bands "
        << ::testing::PrintToString(run.bands) << ", overlap " << run.overlap
        << ", chaos " << run.chaos << ", seed " << seed_;
  }

  // Geometry, recipe, content, carry and split all at random.
  void ExpectSameOnRandomPages(int count, bool chaos);

  int Pick(int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random_);
  }
  GrayPage Noise(int32_t width, int32_t rows, int depth = 8) {
    return MakePage(*Page::Make(width, depth), rows, Content::kNoise, random_);
  }
  Recipe RecipeOf(int levels, CurveKind curve) {
    Recipe::Parts parts;
    parts.levels = levels;
    parts.curve = MakeCurve(curve, random_);
    return *Recipe::Make(parts);
  }

  static std::unique_ptr<KernelRig> rig_;
  const uint64_t seed_ = FreshSeed();
  Random random_{seed_};
};
std::unique_ptr<KernelRig> CudaKernel::rig_;

TEST_F(CudaKernel, GivesTheBitsOfTheDefinitionOnEverySmallPage) {
  const Recipe recipe = Recipe::FloydSteinberg();
  for (int32_t width = 1; width <= 130; ++width) {
    for (int32_t rows = 1; rows <= 130; ++rows) {
      ExpectSame({.gray = Noise(width, rows), .recipe = recipe});
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(CudaKernel, ServesEveryDepthLevelCurveAndContent) {
  for (int depth : {8, 16}) {
    for (int levels : kLevels) {
      for (CurveKind curve : kCurves) {
        for (Content content : kContents) {
          for (int32_t width : {1, 2, 31, 100, 129, 130, 300, 777}) {
            const Recipe recipe = RecipeOf(levels, curve);
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
      for (int levels : {2, 16}) {
        const GrayPage gray = Noise(width, width > 5000 ? 67 : 131, depth);
        const Recipe recipe = Recipe::FloydSteinberg(levels);
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
  for (int32_t width : {1, 3, 64, 129, 700}) {
    for (int levels : kLevels) {
      const GrayPage gray = Noise(width, 200);
      const Recipe recipe = Recipe::FloydSteinberg(levels);
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
  const Recipe recipe = Recipe::FloydSteinberg();
  for (int32_t width : {40, 600, 5000}) {
    ExpectSame({.gray = Noise(width, 800),
                .recipe = recipe,
                .bands = std::vector<int32_t>(8, 100),
                .overlap = true,
                .backwards = true});
  }
}

void CudaKernel::ExpectSameOnRandomPages(int count, bool chaos) {
  for (int i = 0; i < count && !HasFatalFailure(); ++i) {
    const Recipe recipe = RecipeOf(kLevels[Pick(0, 3)], kCurves[Pick(0, 3)]);
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
  ExpectSameOnRandomPages(5000, false);
}

TEST_F(CudaKernel, GivesTheSameBitsWhenItsWarpsDawdle) {
  ExpectSameOnRandomPages(2000, true);
}

TEST_F(CudaKernel, GivesTheSameBitsTenThousandTimesThroughDawdlingHandOffs) {
  const Recipe recipe = Recipe::FloydSteinberg();
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
        << "repeat " << repeat << ", seed " << seed_;
  }
}

TEST_F(CudaKernel, HalftonesPagesOfDifferentSizesInOneLaunch) {
  const Recipe recipe = RecipeOf(2, CurveKind::kGamma);
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
        << "page " << i << ", seed " << seed_;
  }
}

TEST_F(CudaKernel, HalftonesMoreStripsThanFitAtOnce) {
  ExpectSame(
      {.gray = Noise(70, 64 * 3000 + 1), .recipe = Recipe::FloydSteinberg()});
}

TEST_F(CudaKernel, GivesUpOnACarryThatNeverComes) {
  EXPECT_TRUE(rig_->GivesUp(Noise(500, 300), Recipe::FloydSteinberg(), false));
}

TEST_F(CudaKernel, GivesUpWhenItIsCalledOff) {
  EXPECT_TRUE(rig_->GivesUp(Noise(500, 300), Recipe::FloydSteinberg(), true));
}

}  // namespace
}  // namespace halftoned::testing
