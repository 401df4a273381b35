// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages for the papers' methods, and what the definition makes of them, as
// levels, a byte a pixel.

#ifndef HALFTONED_BENCH_PAPERS_METHODS_CHECK_PICTURE_H_
#define HALFTONED_BENCH_PAPERS_METHODS_CHECK_PICTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "bench/papers/methods/picture.h"
#include "tests/equality/oracle.h"
#include "tests/equality/pages.h"

namespace halftoned::papers {

inline testing::GrayPage GrayOf(int width, int rows, testing::Content content,
                                testing::Random& random) {
  return testing::MakePage(*Page::Make(width, 8), rows, content, random);
}

inline const uint8_t* BytesOf(const testing::GrayPage& gray) {
  return reinterpret_cast<const uint8_t*>(gray.samples.data());
}

// 2, 4 or 8 levels: their packed samples tell them apart.
inline std::vector<uint8_t> LevelsByDefinition(const testing::GrayPage& gray,
                                               int levels) {
  const Recipe recipe = Recipe::FloydSteinberg(levels);
  const testing::BitPage packed =
      testing::HalftoneWhole(gray, recipe, Carry::AtStart(recipe, gray.page));
  const int bits = recipe.levels().bits_per_sample;
  std::vector<uint8_t> level_of(size_t{1} << bits);
  for (int k = 0; k < levels; ++k) {
    level_of[recipe.levels().sample[static_cast<size_t>(k)]] =
        static_cast<uint8_t>(k);
  }
  std::vector<uint8_t> out;
  for (int32_t i = 0; i < gray.rows; ++i) {
    for (int32_t j = 0; j < gray.page.width(); ++j) {
      const int at = j * bits;
      const auto byte = std::to_integer<unsigned>(
          packed.bytes[static_cast<size_t>(i) * packed.bytes_per_row +
                       static_cast<size_t>(at / 8)]);
      out.push_back(level_of[byte >> (8 - bits - at % 8) & ((1u << bits) - 1)]);
    }
  }
  return out;
}

// Fails at the first pixel that differs, and says which.
inline void ExpectSame(const std::vector<uint8_t>& expected,
                       const std::vector<uint8_t>& actual, int width,
                       const std::string& what) {
  ASSERT_EQ(expected.size(), actual.size()) << what;
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(int{expected[i]}, int{actual[i]})
        << what << ", width " << width << ", rows "
        << expected.size() / static_cast<size_t>(width) << ": row "
        << i / static_cast<size_t>(width) << ", column "
        << i % static_cast<size_t>(width);
  }
}

}  // namespace halftoned::papers

#endif  // HALFTONED_BENCH_PAPERS_METHODS_CHECK_PICTURE_H_
