// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Color to gray: how light a color is. One integer formula, so that every
// program makes the same gray of a color page.
//
// The weights are those of Rec. 709, applied to the values as they are encoded
// (luma, not linear luminance), in 1/65536 and rounded to nearest. Gray is
// unchanged: Luma(a, a, a) is a.

#pragma once

#include <cstdint>

namespace halftoned {

// Each value is in 0 … white, white at most 65535; so is the result.
constexpr uint32_t Luma(uint32_t red, uint32_t green, uint32_t blue) {
  return (13933 * red + 46871 * green + 4732 * blue + 32768) >> 16;
}

// Inks take light away: 0 none, `white` (255 or 65535) all of it. Black takes
// its share of the light that the others leave, rounded to nearest.
constexpr uint32_t LumaOfInks(uint32_t cyan, uint32_t magenta, uint32_t yellow,
                              uint32_t black, uint32_t white) {
  const uint32_t left = Luma(white - cyan, white - magenta, white - yellow);
  return (left * (white - black) + white / 2) / white;
}

}  // namespace halftoned
