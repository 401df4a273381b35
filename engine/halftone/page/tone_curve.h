// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tone curve: from light to light, resolved to a table of 4081 steps, so
// that every engine works from the same numbers.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace halftoned {

// White, on the scale of all arithmetic: 16 · 255.
inline constexpr int kWhite = 4080;

class ToneCurve {
 public:
  using Table = std::array<uint16_t, kWhite + 1>;

  // The identity.
  ToneCurve();

  // Any table of values in 0 … kWhite.
  static Result<ToneCurve> FromTable(const Table& table);

  // The power curve out = in^(1 / gamma): above 1 lightens, below 1 darkens.
  // gamma: 0.1 … 10.
  static Result<ToneCurve> FromGamma(double gamma);

  // Reads the text of a curve file:
  //
  //   file  = { line "\n" }
  //   line  = [ input output ] [ "#" comment ]
  //   input, output = decimal number 0 … 255, light: 0 black, 255 white
  //
  // The first pair is 0 0, and the last is 255 255, so black stays solid and
  // paper stays white. Inputs rise and outputs never fall; between points, the
  // curve is linear. An error names the line.
  static Result<ToneCurve> Parse(std::string_view text);

  // First this curve, then `next`.
  ToneCurve Then(const ToneCurve& next) const;

  bool is_identity() const;
  const Table& table() const { return table_; }

  // The curved value of an 8-bit and of a 16-bit sample.
  int At8(uint8_t a) const { return table_[size_t{a} * 16]; }
  int At16(uint16_t a) const {
    return table_[(uint32_t{a} * kWhite + 32768) >> 16];
  }

  friend bool operator==(const ToneCurve&, const ToneCurve&) = default;

 private:
  Table table_;
};

}  // namespace halftoned
