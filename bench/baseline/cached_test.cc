// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The baseline has the bits of the definition, and its carry.

#include "bench/baseline/cached.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "halftone/cpu/scalar.h"

namespace halftoned {
namespace {

constexpr int32_t kRows = 40;

std::pair<std::vector<std::byte>, Carry> MadeBy(
    Kernel kernel, const Page& page, const std::vector<std::byte>& gray) {
  const Recipe recipe = Recipe::FloydSteinberg();
  const size_t pitch = recipe.bit_bytes_per_row(page.width());
  std::vector<std::byte> bits(pitch * kRows);
  Carry carry = Carry::AtStart(recipe, page);
  kernel({page,
          recipe,
          {gray.data(), page.gray_bytes_per_row(), kRows},
          {bits.data(), pitch, kRows},
          carry});
  return {bits, carry};
}

TEST(Cached, HasTheBitsOfTheDefinition) {
  std::mt19937 random(1);
  for (const int32_t width : {1, 2, 7, 8, 9, 300}) {
    const Page page = *Page::Make(width, 8);
    std::vector<std::byte> gray(page.gray_bytes_per_row() * kRows);
    for (std::byte& byte : gray) byte = static_cast<std::byte>(random());
    EXPECT_EQ(MadeBy(HalftoneCached, page, gray),
              MadeBy(HalftoneByDefinition, page, gray))
        << width;
  }
}

}  // namespace
}  // namespace halftoned
