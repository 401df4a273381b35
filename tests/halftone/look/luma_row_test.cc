// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/gray/luma_row.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "halftone/look/gray/luminance.h"

namespace halftoned {
namespace {

template <typename Sample>
class LumaRow : public testing::Test {
 public:
  static constexpr uint32_t kFull = static_cast<Sample>(-1);

  // A fifth of the samples are the ends of the range.
  std::vector<Sample> Noise(size_t count) {
    std::uniform_int_distribution<uint32_t> value(0, kFull);
    std::uniform_int_distribution<int> kind(0, 9);
    std::vector<Sample> samples(count);
    for (Sample& sample : samples) {
      const int it = kind(random_);
      sample = static_cast<Sample>(it == 0   ? 0
                                   : it == 1 ? kFull
                                             : value(random_));
    }
    return samples;
  }

  static uint32_t Expected(ColourModel model, uint32_t a, uint32_t b,
                           uint32_t c, uint32_t d) {
    switch (model) {
      case ColourModel::kRgb:
        return Luma(a, b, c);
      case ColourModel::kCmy:
        return LumaOfInks(a, b, c, 0, kFull);
      case ColourModel::kCmyk:
        return LumaOfInks(a, b, c, d, kFull);
    }
    return 0;
  }

 private:
  std::mt19937 random_{1};
};
using Samples = testing::Types<uint8_t, uint16_t>;
TYPED_TEST_SUITE(LumaRow, Samples);

constexpr ColourModel kModels[] = {ColourModel::kRgb, ColourModel::kCmy,
                                   ColourModel::kCmyk};

size_t ColoursOf(ColourModel model) {
  return model == ColourModel::kCmyk ? 4 : 3;
}

// Every width, so that whole blocks and what is left of one are met. One sample
// more than the width shows that nothing is written behind it.
TYPED_TEST(LumaRow, IsThatOfEveryPixel) {
  for (const ColourModel model : kModels) {
    for (size_t extra = 0; extra < 3; ++extra) {
      const size_t step = ColoursOf(model) + extra;
      for (size_t width = 0; width < 200; ++width) {
        const auto pixels = this->Noise(step * width);
        std::vector<TypeParam> expected;
        for (size_t x = 0; x < width; ++x) {
          const TypeParam* at = &pixels[step * x];
          const uint32_t last = model == ColourModel::kCmyk ? at[3] : 0u;
          expected.push_back(static_cast<TypeParam>(
              this->Expected(model, at[0], at[1], at[2], last)));
        }
        expected.push_back(7);
        std::vector<TypeParam> gray(width + 1, 7);
        LumaOfPixels(model, pixels.data(), step, width, gray.data());
        ASSERT_EQ(gray, expected) << int(model) << ' ' << step << ' ' << width;
      }
    }
  }
}

TYPED_TEST(LumaRow, IsTheSameOfPlanes) {
  for (const ColourModel model : kModels) {
    for (size_t width = 0; width < 200; ++width) {
      const auto samples = this->Noise(4 * width);
      const TypeParam* at = samples.data();
      std::vector<TypeParam> expected;
      for (size_t x = 0; x < width; ++x) {
        expected.push_back(static_cast<TypeParam>(
            this->Expected(model, at[x], at[width + x], at[2 * width + x],
                           at[3 * width + x])));
      }
      expected.push_back(7);
      std::vector<TypeParam> gray(width + 1, 7);
      const bool has_black = model == ColourModel::kCmyk;
      LumaOfPlanes(model,
                   {at, at + width, at + 2 * width,
                    has_black ? at + 3 * width : nullptr},
                   width, gray.data());
      ASSERT_EQ(gray, expected) << int(model) << ' ' << width;
    }
  }
}

}  // namespace
}  // namespace halftoned
