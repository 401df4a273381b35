// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/gray/luminance.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

TEST(Luminance, GrayStaysWhatItWas) {
  for (uint32_t a = 0; a <= 65535; ++a) {
    ASSERT_EQ(Luma(a, a, a), a);
    ASSERT_EQ(LumaOfInks(0, 0, 0, a, 65535), 65535 - a);
    ASSERT_EQ(LumaOfInks(a, a, a, 0, 65535), 65535 - a);
  }
}

TEST(Luminance, ColorsHaveTheirWeights) {
  EXPECT_EQ(Luma(255, 0, 0), 54u);
  EXPECT_EQ(Luma(0, 255, 0), 182u);
  EXPECT_EQ(Luma(0, 0, 255), 18u);
  EXPECT_EQ(LumaOfInks(255, 0, 0, 0, 255), 201u);
  EXPECT_EQ(LumaOfInks(0, 0, 255, 128, 255), 118u);
  EXPECT_EQ(LumaOfInks(7, 99, 201, 255, 255), 0u);
}

}  // namespace
}  // namespace halftoned
