// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/luma_row.h"

#include <gtest/gtest.h>

#include <vector>

#include "halftone/luminance.h"
#include "images.h"

namespace halftoned {
namespace {

template <typename Sample>
class LumaRow : public testing::Test {};
using Samples = testing::Types<uint8_t, uint16_t>;
TYPED_TEST_SUITE(LumaRow, Samples);

// Of every width, so that whole blocks and what is left of one are met.
TYPED_TEST(LumaRow, IsThatOfEveryPixel) {
  for (size_t width = 0; width < 200; ++width) {
    std::vector<TypeParam> planes[3];
    std::vector<TypeParam> pixels;
    std::vector<TypeParam> expected;
    for (size_t x = 0; x < width; ++x) {
      for (int color = 0; color < 3; ++color) {
        // With the ends of the range among them.
        const double value = 1.2 * Noise(int(x), int(width), color) - 0.1;
        const double full = TypeParam(-1);
        planes[color].push_back(static_cast<TypeParam>(value < 0 ? 0
                                                       : value > 1
                                                           ? full
                                                           : value * full));
        pixels.push_back(planes[color].back());
      }
      expected.push_back(static_cast<TypeParam>(
          Luma(planes[0][x], planes[1][x], planes[2][x])));
    }
    // One sample more, which is not to be touched.
    expected.push_back(7);
    std::vector<TypeParam> gray(width + 1, 7);
    LumaOfPixels(pixels.data(), width, gray.data());
    EXPECT_EQ(gray, expected) << width;
    gray.assign(width + 1, 7);
    LumaOfPlanes(planes[0].data(), planes[1].data(), planes[2].data(), width,
                 gray.data());
    EXPECT_EQ(gray, expected) << width;
  }
}

}  // namespace
}  // namespace halftoned
