// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small page, and what a call says.

#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "halftoned/halftone.h"

namespace halftoned::testing {

inline constexpr int32_t kWidth = 203;
inline constexpr int32_t kRows = 90;
inline constexpr ht_layout kLayout = {kWidth, 8, 0, 0, 0};
inline constexpr size_t kRowBytes = (kWidth + 7) / 8;

inline std::vector<uint8_t> SampleGray() {
  std::vector<uint8_t> gray(size_t{kWidth} * kRows);
  for (size_t i = 0; i < gray.size(); ++i) {
    gray[i] = static_cast<uint8_t>(i * 7 / 5 % 256);
  }
  return gray;
}

inline ::testing::AssertionResult Says(ht_status status, const ht_error& error,
                                       ht_status expected,
                                       const std::string& text) {
  if (status == expected && error.status == expected &&
      std::string(error.text).find(text) != std::string::npos) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << status << ", '" << error.text << "'";
}

}  // namespace halftoned::testing
