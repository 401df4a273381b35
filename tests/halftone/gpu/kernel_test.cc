// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels against the definition, bit for bit and state for state.

#include "tests/halftone/gpu/kernel_fixture.h"

namespace halftoned::testing {
namespace {

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
  for (const Recipe::Parts& kind : KindsOfKernels()) {
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
    for (const Recipe::Parts& kind : KindsOfKernels()) {
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
            Recipe::Fine(), Recipe::Fine(8), Recipe::BiLevel()}) {
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
  for (const Recipe::Parts& kind : KindsOfKernels()) {
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

TEST_F(CudaKernel, GivesTheBitsOfTheDefinitionOnThousandsOfRandomPages) {
  ExpectSameOnRandomPages(RandomPages(5000));
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

TEST_F(CudaKernel, GivesUpWhenItIsCanceled) {
  const GrayPage gray = Noise(500, 300);
  EXPECT_TRUE(rig_->GivesUp(gray, Recipe::FloydSteinberg(), true));
  EXPECT_TRUE(rig_->GivesUp(gray, PureFine(), true));
}

}  // namespace
}  // namespace halftoned::testing
