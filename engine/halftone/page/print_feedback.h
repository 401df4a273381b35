// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The print model of `fine`. A pixel takes less light from the page than its
// square has, or more, depending on the window of 2 × 2 pixels that ends at the
// pixel. In addition, noise breaks up the lattices of some tones, next to which
// other textures print lighter. feedback_table.h says how much of both each
// tone has.

#pragma once

#include <algorithm>
#include <cstdint>

#include "halftone/page/fine_table.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

inline constexpr int kFullFeedback = 256;

// Noise moves the threshold by a multiple of this.
inline constexpr int kNoiseStep = 8;

// Light that a window has beyond its share: of its white pixels, and where two
// are white, of those with the same color on the diagonal that ends at the
// pixel, and of others. Sixteenths at strength 1.
struct WindowLight {
  uint8_t one = 167;
  uint8_t diagonal = 166;
  uint8_t edge = 127;
  uint8_t three = 45;

  // `around`: how many of left and above are white.
  constexpr int Of(int around, bool is_across_white, bool is_white) const {
    const int white = around + (is_across_white ? 1 : 0) + (is_white ? 1 : 0);
    if (white == 1) return one;
    if (white == 2) return is_white == is_across_white ? diagonal : edge;
    return white == 3 ? three : 0;
  }
};
inline constexpr WindowLight kWindowLight;

// Noise along a row: the 16-bit number of each pixel is kNoiseFactor times that
// of the pixel before. This is the number at column 0.
inline constexpr uint16_t kNoiseFactor = 0x6255;
constexpr uint16_t NoiseAtRow(int64_t row) {
  auto mixed = static_cast<uint32_t>(row) * 0x9E3779B1u;
  mixed = (mixed ^ (mixed >> 15)) * 0x85EBCA77u;
  return static_cast<uint16_t>((mixed ^ (mixed >> 13)) | 1);
}
// The same at `column`.
constexpr uint16_t NoiseAt(int64_t row, int32_t column) {
  uint32_t noise = NoiseAtRow(row);
  uint32_t factor = kNoiseFactor;
  for (; column > 0; column >>= 1) {
    if (column & 1) noise = noise * factor & 0xffff;
    factor = factor * factor & 0xffff;
  }
  return static_cast<uint16_t>(noise);
}

// How far such a number moves the threshold. amplitude: in kNoiseStep.
constexpr int NoiseOf(uint16_t random, int amplitude) {
  return ((static_cast<int16_t>(random) * amplitude + 0x4000) >> 15) *
         kNoiseStep;
}

// Below the outside of the page, all dots of the lightest and darkest tints
// would appear in the same rows. There, noise therefore raises a pixel's sum in
// light tints, and lowers it in dark tints, by up to MostDelayOf its value.
inline constexpr int kDelay = 6;         // times the distance to black or white
inline constexpr int kDelayedEnd = 160;  // of that distance
constexpr int MostDelayOf(int v) {
  const int x = std::min(v, kWhite - v);
  return std::max(kDelay * std::min(x, kDelayedEnd - x), 0);
}
// random: the number of the noise.
constexpr int DelayOf(uint16_t random, int v) {
  const int delay = random * MostDelayOf(v) >> 16;
  return v < kWhite / 2 ? -delay : delay;
}

// The least distance that the row above gives where none of its pixels is
// inside.
inline constexpr int kBelowOutside = kFineFar + kFineNear;

// The state of a pixel with distance D and bit b is 2 D + b. Outside of the
// page there is paper.
inline constexpr int kFinePaper = 2 * kFineFar + 1;

}  // namespace halftoned
