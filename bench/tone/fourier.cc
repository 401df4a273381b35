// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/fourier.h"

#include <array>
#include <numbers>

namespace halftoned::bench {
namespace {

constexpr int kSide = kFourierSide;

Complex Times(Complex a, Complex b) {  // without a look at infinities
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

// Of kSide numbers that lie `stride` apart.
void TransformLine(Complex* values, int stride) {
  static const auto kTurns = [] {
    std::array<Complex, kSide / 2> turns;
    for (int i = 0; i < kSide / 2; ++i) {
      turns[i] = std::polar(
          1.0F, static_cast<float>(-2 * std::numbers::pi * i / kSide));
    }
    return turns;
  }();
  std::array<Complex, kSide> a;
  for (int i = 0, reversed = 0; i < kSide; ++i) {
    a[reversed] = values[i * stride];
    int bit = kSide / 2;
    for (; reversed & bit; bit /= 2) reversed ^= bit;
    reversed |= bit;
  }
  for (int half = 1; half < kSide; half *= 2) {
    for (int begin = 0; begin < kSide; begin += 2 * half) {
      for (int i = begin; i < begin + half; ++i) {
        const Complex turned =
            Times(a[i + half], kTurns[(i - begin) * (kSide / 2 / half)]);
        a[i + half] = a[i] - turned;
        a[i] += turned;
      }
    }
  }
  for (int i = 0; i < kSide; ++i) values[i * stride] = a[i];
}

}  // namespace

void Transform(std::span<Complex> field) {
  for (int i = 0; i < kSide; ++i) TransformLine(&field[i * kSide], 1);
  for (int j = 0; j < kSide; ++j) TransformLine(&field[j], kSide);
}

}  // namespace halftoned::bench
