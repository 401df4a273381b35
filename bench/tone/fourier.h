// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Fourier transform of a square.

#ifndef HALFTONED_BENCH_TONE_FOURIER_H_
#define HALFTONED_BENCH_TONE_FOURIER_H_

#include <complex>
#include <span>

namespace halftoned::bench {

inline constexpr int kFourierSide = 256;

using Complex = std::complex<float>;

// Of kFourierSide rows of as many numbers; by frequency down and across, of
// which the upper half is negative.
void Transform(std::span<Complex> field);

// Cycles a pixel, −1/2 … 1/2.
constexpr double FrequencyAt(int i) {
  return static_cast<double>(i < kFourierSide / 2 ? i : i - kFourierSide) /
         kFourierSide;
}

}  // namespace halftoned::bench

#endif  // HALFTONED_BENCH_TONE_FOURIER_H_
