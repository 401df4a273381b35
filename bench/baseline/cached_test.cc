// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The baseline has the bits of the definition, and its carry.

#include "bench/baseline/cached.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <vector>

#include "halftone/cpu/scalar.h"

namespace halftoned {
namespace {

struct Made {
  std::vector<std::byte> bits;
  Carry carry;
};

Made MadeBy(Kernel kernel, const Page& page, const Recipe& recipe,
            const std::vector<std::byte>& gray, int32_t rows) {
  const size_t pitch = recipe.bit_bytes_per_row(page.width());
  Made made{std::vector<std::byte>(pitch * static_cast<size_t>(rows)),
            Carry::AtStart(recipe, page)};
  kernel({page,
          recipe,
          {gray.data(), page.gray_bytes_per_row(), rows},
          {made.bits.data(), pitch, rows},
          made.carry});
  return made;
}

TEST(Cached, HasTheBitsOfTheDefinition) {
  std::mt19937 random(1);
  for (const int levels : {2, 4, 8, 16}) {
    Recipe::Parts parts = Recipe::FloydSteinberg().parts();
    parts.levels = levels;
    const auto recipe = Recipe::Make(parts);
    ASSERT_TRUE(recipe.ok());
    for (const int depth : {8, 16}) {
      for (const int32_t width : {1, 2, 7, 8, 9, 300}) {
        const auto page = Page::Make(width, depth);
        ASSERT_TRUE(page.ok());
        constexpr int32_t kRows = 40;
        std::vector<std::byte> gray(page->gray_bytes_per_row() * kRows);
        for (std::byte& byte : gray) byte = static_cast<std::byte>(random());
        const Made cached = MadeBy(HalftoneCached, *page, *recipe, gray, kRows);
        const Made defined =
            MadeBy(HalftoneByDefinition, *page, *recipe, gray, kRows);
        EXPECT_EQ(cached.bits, defined.bits) << levels << " " << width;
        EXPECT_EQ(cached.carry, defined.carry) << levels << " " << width;
      }
    }
  }
}

}  // namespace
}  // namespace halftoned
