// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/simd/error_line.h"

#include <cstddef>

#include "halftone/simd/core.h"

namespace halftoned::simd {

ErrorLine::ErrorLine(int32_t width)
    : width_(width),
      // Entries behind the last are as if no row had an error there.
      store_(static_cast<size_t>(width) + 2 * kPad, uint16_t{9 * kBias}) {}

void ErrorLine::Set(std::span<const int16_t> errors) {
  uint16_t* entry = entries();
  int before = kBias;
  int two_before = kBias;
  for (int32_t j = 0; j <= width_; ++j) {
    const int f = j < width_ ? errors[static_cast<size_t>(j)] + kBias : kBias;
    entry[j] = static_cast<uint16_t>(3 * f + 5 * before + two_before);
    two_before = before;
    before = f;
  }
}

}  // namespace halftoned::simd
