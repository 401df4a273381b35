// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels against the definition while their warps are held up at random.

#include "tests/halftone/gpu/delayed_launches.h"
#include "tests/halftone/gpu/kernel_fixture.h"

namespace halftoned::testing {

std::atomic<unsigned> delayed_launches = 0;

namespace {

class DelayedCudaKernel : public CudaKernel {};

TEST_F(DelayedCudaKernel, IsWhatIsTested) {
  const unsigned before = delayed_launches;
  ExpectSame({.gray = Noise(100, 100), .recipe = Recipe::FloydSteinberg()});
  EXPECT_EQ(delayed_launches, before + 1);
}

TEST_F(DelayedCudaKernel, GivesTheBitsOfTheDefinitionOnRandomPages) {
  ExpectSameOnRandomPages(RandomPages(2000));
}

TEST_F(DelayedCudaKernel, GivesTheSameBitsThroughTenThousandHandOffs) {
  for (const Recipe& recipe : {Recipe::FloydSteinberg(), PureFine()}) {
    const GrayPage gray = Noise(260, 190);
    const Carry start = Carry::AtStart(recipe, gray.page);
    const BitPage expected = HalftoneWhole(gray, recipe, start);
    for (int repeat = 1; repeat <= 10000; ++repeat) {
      const BitPage actual = rig_->Do({.gray = gray,
                                       .recipe = recipe,
                                       .bands = {70, 64, 56},
                                       .overlap = true});
      ASSERT_EQ(DescribeDifference(expected, actual, recipe, gray.page), "")
          << Describe(recipe) << ", repeat " << repeat << ", seed " << seed_;
    }
  }
}

}  // namespace
}  // namespace halftoned::testing
