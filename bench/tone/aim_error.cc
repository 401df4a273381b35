// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/aim_error.h"

#include <algorithm>
#include <cmath>

namespace halftoned::bench {
namespace {

// CIE 1976, of the light relative to paper or white.
double Lightness(double light) {
  return light > 216.0 / 24389 ? 116 * std::cbrt(light) - 16
                               : light * 24389 / 27;
}

// IEC 61966-2-1.
double LightOfDisplay(double code) {
  return code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
}

}  // namespace

ToneCurve DefaultTones(const HalftoneType& type, ToneAim aim,
                       double dots_per_inch) {
  const Recipe::Parts parts =
      *PartsOf(type, 2, false, {dots_per_inch, dots_per_inch});
  return *CurveFor(parts, {.aim = aim},
                   *TypicalCurveFor(parts, Technology::kLaser, dots_per_inch));
}

AimErrors AimError(const HalftoneType& type, const ToneCurve& curve,
                   const Laser& laser, int dots_per_inch, int steps) {
  const auto dpi = static_cast<double>(dots_per_inch);
  Recipe::Parts parts = *PartsOf(type, 2, false, {dpi, dpi});
  parts.curve = curve;
  const Recipe recipe = *Recipe::Make(parts);
  const double black = BlackOfLaser();
  AimErrors errors{};
  for (int step = 0; step < steps; ++step) {
    const auto sample = static_cast<uint8_t>(255 * step / (steps - 1));
    const double aim =
        Lightness(black + (1 - black) * LightOfDisplay(sample / 255.0));
    const LaserPrint print = PrintOfLaser(recipe, sample, laser, dots_per_inch);
    const double lightness = Lightness(print.light);
    const double off = std::abs(lightness - aim);
    // Small differences follow the slope there.
    errors.noise += (Lightness(print.light + print.noise) - lightness) / steps;
    errors.lightness.push_back(lightness);
    errors.mean += off / steps;
    errors.largest = std::max(errors.largest, off);
  }
  return errors;
}

}  // namespace halftoned::bench
