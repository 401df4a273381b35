// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tone curve in the form that the cores read: 16 v + 7 for a curved value v.
// With the weighted errors and a rounding average this becomes (… + 8) >> 4.

#pragma once

#include <cstdint>

#include "halftone/page/tone_curve.h"

namespace halftoned::simd {

struct CurveTables {
  explicit CurveTables(const ToneCurve& curve);

  alignas(64) uint16_t byte[256];  // of an 8-bit sample
  alignas(64) uint8_t byte_low[256];
  alignas(64) uint8_t byte_high[256];
  alignas(64) uint16_t word[4096];  // of a step of the curve
};

}  // namespace halftoned::simd
