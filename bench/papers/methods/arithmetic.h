// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic that all of the papers' methods share here, for host and
// device: values on the definition's scale, where white is 4080, and sums in
// sixteenths of it, which are rounded once, when a pixel is quantized. So the
// shares that diffusion adds to a pixel one after another and those that
// collection adds up at once have the same sum, and give the same bits.

#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define HALFTONED_PAPERS_BOTH __host__ __device__
#else
#define HALFTONED_PAPERS_BOTH
#endif

namespace halftoned::papers {

inline constexpr int kWhite = 4080;

HALFTONED_PAPERS_BOTH constexpr int SixteenthsOf(uint8_t gray) {
  return 16 * 16 * gray;
}

// Rounds sixteenths; halves go up.
HALFTONED_PAPERS_BOTH constexpr int Rounded(int sixteenths) {
  return (sixteenths + 8) >> 4;
}

struct Quantised {
  uint8_t level;  // 0 or 1
  int error;
};

HALFTONED_PAPERS_BOTH constexpr Quantised Quantise(int s) {
  const uint8_t level = s > kWhite / 2 ? 1 : 0;
  return {level, s - level * kWhite};
}

// A pixel's level and error, from its gray and its four neighbors' errors.
HALFTONED_PAPERS_BOTH constexpr Quantised Collect(uint8_t gray, int left,
                                                  int above_left, int above,
                                                  int above_right) {
  return Quantise(Rounded(SixteenthsOf(gray) + 7 * left + above_left +
                          5 * above + 3 * above_right));
}

}  // namespace halftoned::papers
