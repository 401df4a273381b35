// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/tones/screen_aim.h"

#include <cmath>

namespace halftoned {
namespace {

// Of CIE 1976; lightness is 0 … 100.
constexpr double kStraightTo = 216.0 / 24389;
constexpr double kSlope = 24389.0 / 27;

double LightnessOf(double light) {
  return light > kStraightTo ? 116 * std::cbrt(light) - 16 : kSlope * light;
}

double LightOf(double lightness) {
  return lightness > kSlope * kStraightTo ? std::pow((lightness + 16) / 116, 3)
                                          : lightness / kSlope;
}

// Of IEC 61966-2-1.
double LightOfScreen(double code) {
  return code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
}

}  // namespace

double LightnessOfScreen(double code) {
  return LightnessOf(LightOfScreen(code));
}

double LightAimedAt(double code) {
  constexpr double kDensity = 1.5;  // of solid black
  const double black = std::pow(10, -kDensity);
  const double lightness_of_black = LightnessOf(black);
  const double lightness = lightness_of_black + (100 - lightness_of_black) *
                                                    LightnessOfScreen(code) /
                                                    100;
  return (LightOf(lightness) - black) / (1 - black);
}

}  // namespace halftoned
