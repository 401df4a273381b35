// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages for the papers' methods, and the output of the definition for them, one
// byte per pixel.

#pragma once

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

inline std::vector<uint8_t> PixelsByDefinition(const testing::GrayPage& gray) {
  const Recipe recipe = Recipe::FloydSteinberg();
  const testing::BitPage packed =
      testing::HalftoneWhole(gray, recipe, Carry::AtStart(recipe, gray.page));
  std::vector<uint8_t> out;
  for (int32_t i = 0; i < gray.rows; ++i) {
    const std::byte* const row =
        &packed.bytes[static_cast<size_t>(i) * packed.bytes_per_row];
    for (int32_t j = 0; j < gray.page.width(); ++j) {
      out.push_back(std::to_integer<uint8_t>(row[j / 8]) >> (7 - j % 8) & 1);
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
