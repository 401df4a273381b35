// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tones of a page: what is wished of them, and what a printer's dots do to
// them. Both become one tone curve.
//
// In this order, with light v in 0 … 1 (0 black, 1 white) at each step. Every
// step keeps 0 and 1 where they are and never falls, so that solid black stays
// solid and paper stays clean, whatever is wished.
//
//   black point b   What is as dark as b is black: renderers make b = 32/255 of
//                   the black of CMYK. The shadows above it are stretched, and
//                   from 4b on nothing changes: with t = (v − b) / 3b,
//                   v ← (5b)·t − b·t²  for b ≤ v < 4b.
//   contrast c      v ← v + c·v·(1 − v)·(2v − 1): the slope in the middle is
//                   1 + c/2.
//   brightness b    v ← v + b·v·(1 − v): the middle goes up by b/4.
//   gamma g         v ← v^(1/g)
//   toner save n    The ink u = 1 − v of tints and pictures is n less,
//                   u ← u·(1 − n·(1 − u^8)); what is nearly black gets back to
//                   black, so that text stays solid.
//   dot gain g      The ink that the printer will add is taken off before: the
//                   inverse of
//                   light(v) = (1 − 2g)·(v − 2g·min(v, 1 − v)) + 2g·v^n,
//                   n = −log2(1/2 − g).
//
// In the middle g of light is lost to dots that are wider than their pixels.
// While there is room, dots of an error diffusion stand apart, and each adds
// the same: the first part, a triangle. As they grow they run together, as dots
// do that lie anywhere: the second part, Yule and Nielsen's formula for solid
// ink. The more they grow, the more of them do. Of discs of 1.2 … 2.2 pitches
// with soft edges this is off by 1.3 … 8 of 255 in the mean, less than either
// part or the usual parabola.

#ifndef HALFTONED_HALFTONE_TONE_H_
#define HALFTONED_HALFTONE_TONE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "halftone/named_number.h"
#include "halftone/tone_curve.h"

namespace halftoned {

// As people write it; the defaults change nothing.
struct Tone {
  double black_point = 0;  // of 255
  double contrast = 0;     // percent, as all that follow but gamma
  double brightness = 0;
  double gamma = 1;
  double toner_save = 0;
  double dot_gain = 0;
};

inline constexpr std::array<NamedNumber<Tone>, 6> kToneNumbers{{
    {"black-point", &Tone::black_point, 0, 63},
    {"contrast", &Tone::contrast, -100, 100},
    {"brightness", &Tone::brightness, -100, 100},
    {"gamma", &Tone::gamma, 0.1, 10},
    {"toner-save", &Tone::toner_save, 0, 75},
    {"dot-gain", &Tone::dot_gain, 0, 45},
}};

// Refuses a number that is out of its range.
Result<ToneCurve> CurveOf(const Tone& tone);

// How a printer makes its dots.
enum class Technology : uint8_t { kLaser, kInkjet, kThermal };

// "laser", "inkjet" or "thermal".
std::optional<Technology> TechnologyNamed(std::string_view name);

// The black point of what renderers make of CMYK.
inline constexpr double kRenderersBlackPoint = 32;

// Percent, for printers that nobody has measured. An edge grows by so many
// micrometres whatever the resolution, so dots gain more where they are small.
// dots_per_inch: above 0; the mean of both directions.
double DefaultDotGain(Technology technology, double dots_per_inch);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_TONE_H_
