// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Light of three colors, on the scale of kWhite, as palettes use it.

#pragma once

#include <array>
#include <cstdint>

#include "halftone/palette/palette.h"

namespace halftoned {

using Light = std::array<int32_t, 3>;  // red, green, blue

// The light of each sRGB sample (IEC 61966-2-1), rounded.
extern const std::array<int16_t, 256> kLightOfSrgb;

inline Light LightOf(const Rgb& rgb) {
  return {kLightOfSrgb[rgb[0]], kLightOfSrgb[rgb[1]], kLightOfSrgb[rgb[2]]};
}

// In ten-thousandths.
constexpr int32_t LumaOf(const Light& light) {
  return 2126 * light[0] + 7152 * light[1] + 722 * light[2];
}

}  // namespace halftoned
