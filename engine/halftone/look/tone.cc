// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas, in this order, with light v in 0 … 1 (0 black, 1 white) at each
// step. Every step keeps 0 and 1 where they are and never falls, so that solid
// black stays solid and paper stays clean, whatever is wished.
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

#include "halftone/look/tone.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace halftoned {
namespace {

double AboveBlackPoint(double v, double black) {
  if (v <= black) return 0;
  if (v >= 4 * black) return v;
  const double t = (v - black) / (3 * black);
  return black * t * (5 - t);
}

double WithLessToner(double v, double saved) {
  const double ink = 1 - v;
  return 1 - ink * (1 - saved * (1 - std::pow(ink, 8)));
}

// The light that the user asks for in place of v, before the printer's dots.
double Wished(const Tone& tone, double v) {
  v = AboveBlackPoint(v, tone.black_point / 255);
  v += tone.contrast / 100 * v * (1 - v) * (2 * v - 1);
  v += tone.brightness / 100 * v * (1 - v);
  if (tone.gamma != 1) v = std::pow(v, 1 / tone.gamma);
  if (tone.toner_save != 0) v = WithLessToner(v, tone.toner_save / 100);
  return v;
}

// The light that is printed for each step, with dot gain.
class Printed {
 public:
  explicit Printed(double gain) : gain_(gain) {
    const double n = -std::log2(0.5 - gain);
    for (int i = 0; i <= kWhite && gain > 0; ++i) {
      const double v = static_cast<double>(i) / kWhite;
      const double apart = v - 2 * gain * std::min(v, 1 - v);
      light_[static_cast<size_t>(i)] =
          (1 - 2 * gain) * apart + 2 * gain * std::pow(v, n);
    }
  }

  // The step that prints as `light`. Precondition: `light` is not below that of
  // the last call.
  double AskFor(double light) {
    if (gain_ == 0) return light;
    while (next_ < kWhite && light_[next_] < light) ++next_;
    const double from = light_[next_ - 1];
    const double part = (light - from) / (light_[next_] - from);
    return (static_cast<double>(next_ - 1) + std::min(part, 1.0)) / kWhite;
  }

 private:
  const double gain_;
  std::array<double, kWhite + 1> light_{};
  size_t next_ = 1;
};

}  // namespace

Result<ToneCurve> CurveOf(const Tone& tone) {
  HALFTONED_TRY(CheckNumbers(Look{{}, tone}));
  Printed printed(tone.dot_gain / 100);
  ToneCurve::Table table;
  for (size_t i = 0; i < table.size(); ++i) {
    const double wished = Wished(tone, static_cast<double>(i) / kWhite);
    table[i] = static_cast<uint16_t>(
        std::lround(std::clamp(printed.AskFor(wished), 0.0, 1.0) * kWhite));
  }
  return ToneCurve::FromTable(table);
}

double DefaultDotGain(Technology technology, double dots_per_inch) {
  struct Point {
    double dots_per_inch;
    double gain[3];  // by Technology
  };
  constexpr Point kPoints[] = {
      {0, {0, 0, 0}},
      {300, {12, 10, 8}},
      {600, {20, 16, 14}},
      {1200, {30, 24, 22}},
  };
  const auto column = static_cast<size_t>(technology);
  const Point* const last = std::end(kPoints) - 1;
  if (dots_per_inch >= last->dots_per_inch) return last->gain[column];
  const Point* b = kPoints + 1;
  while (b->dots_per_inch < dots_per_inch) ++b;
  const Point* a = b - 1;
  const double part = (dots_per_inch - a->dots_per_inch) /
                      (b->dots_per_inch - a->dots_per_inch);
  return std::lerp(a->gain[column], b->gain[column], part);
}

}  // namespace halftoned
