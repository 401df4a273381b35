// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/simd/curve_tables.h"

#include <cstddef>

namespace halftoned::simd {
namespace {

uint16_t Biased(int v) { return static_cast<uint16_t>(16 * v + 7); }

}  // namespace

CurveTables::CurveTables(const ToneCurve& curve) {
  for (size_t a = 0; a < 256; ++a) {
    byte[a] = Biased(curve.At8(static_cast<uint8_t>(a)));
    byte_low[a] = static_cast<uint8_t>(byte[a]);
    byte_high[a] = static_cast<uint8_t>(byte[a] >> 8);
  }
  // Gathers read a little past the last step.
  for (size_t i = 0; i < 4096; ++i) {
    word[i] = Biased(i <= kWhite ? curve.table()[i] : 0);
  }
}

}  // namespace halftoned::simd
