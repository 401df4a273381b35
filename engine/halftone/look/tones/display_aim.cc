// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/tones/display_aim.h"

#include <cmath>

namespace halftoned {

// The transfer function of IEC 61966-2-1. Black point compensation scales the
// light of the display to what is between the print's black and its paper, so
// no black is needed here.
double LightAimedAt(double code) {
  return code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
}

// The lightness of CIE 1976.
double LightnessOfDisplay(double code) {
  const double light = LightAimedAt(code);
  return light > 216.0 / 24389 ? 116 * std::cbrt(light) - 16
                               : light * 24389 / 27;
}

}  // namespace halftoned
