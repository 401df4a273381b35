// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas, in this order, with light v in 0 … 1 (0 black, 1 white) at each
// step. Every step keeps 0 and 1 and never falls, so solid black stays solid
// and paper stays clean with any settings.
//
//   black point b   What is as dark as b is black: renderers make b = 32/255 of
//                   the black of CMYK. The shadows above it are stretched, and
//                   from 4b on nothing changes: with t = (v − b) / 3b,
//                   v ← (5b)·t − b·t²  for b ≤ v < 4b.
//   contrast c      v ← v + c·v·(1 − v)·(2v − 1): the slope in the middle is
//                   1 + c/2.
//   brightness b    v ← v + b·v·(1 − v): the middle goes up by b/4.
//   gamma g         v ← v^(1/g)
//   aim display     v is sGray: v ← its light by IEC 61966-2-1, between the
//                   black of the print and its paper.
//   toner save n    The ink u = 1 − v of tints and pictures is n less,
//                   u ← u·(1 − n·(1 − u^8)); what is nearly black gets back to
//                   black, so that text stays solid.
//   dot gain g      The ink that the printer will add is taken off before: the
//                   inverse of
//                   light(v) = (1 − 2g)·(v − 2g·min(v, 1 − v)) + 2g·v^n,
//                   n = −log2(1/2 − g).
//
// In the middle, the share g of the light is lost to dots that are wider than
// their pixels. While there is room, dots of error diffusion stand apart, and
// each adds the same: the first part, a triangle. As dots grow, they run
// together, like dots at random places: the second part, Yule and Nielsen's
// formula for solid ink. The more dots grow, the more of them run together. For
// discs of 1.2 … 2.2 pitches with soft edges this is off by 1.3 … 8 of 255 in
// the mean, less than either part or the usual parabola.

#include "halftone/look/tones/tone.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "halftone/look/tones/typical_laser.h"

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

// The light that the settings put in place of v, before the printer's dots.
double Wished(const Tone& tone, double v) {
  v = AboveBlackPoint(v, tone.black_point / 255);
  v += tone.contrast / 100 * v * (1 - v) * (2 * v - 1);
  v += tone.brightness / 100 * v * (1 - v);
  if (tone.gamma != 1) v = std::pow(v, 1 / tone.gamma);
  if (tone.aim == ToneAim::kDisplay) v = LightAimedAt(v);
  if (tone.toner_save != 0) v = WithLessToner(v, tone.toner_save / 100);
  return v;
}

// The light that a printer with dot gain prints of the light v.
double WithDotGain(double gain, double v) {
  const double n = -std::log2(0.5 - gain);
  const double apart = v - 2 * gain * std::min(v, 1 - v);
  return (1 - 2 * gain) * apart + 2 * gain * std::pow(v, n);
}

// The light that is printed for each step.
class Printed {
 public:
  explicit Printed(const auto& light_of) {
    for (size_t i = 0; i < light_.size(); ++i) {
      light_[i] = light_of(static_cast<double>(i) / kWhite);
    }
  }

  // The step that prints as `light`. Precondition: `light` is not below that of
  // the last call.
  double AskFor(double light) {
    while (next_ < kWhite && light_[next_] < light) ++next_;
    const double from = light_[next_ - 1];
    const double part = (light - from) / (light_[next_] - from);
    return (static_cast<double>(next_ - 1) + std::clamp(part, 0.0, 1.0)) /
           kWhite;
  }

 private:
  std::array<double, kWhite + 1> light_{};
  size_t next_ = 1;
};

// The curve from each light to what is requested for it.
Result<ToneCurve> CurveOfSteps(const auto& asked_for) {
  ToneCurve::Table table;
  for (size_t i = 0; i < table.size(); ++i) {
    const double asked = asked_for(static_cast<double>(i) / kWhite);
    table[i] = static_cast<uint16_t>(
        std::lround(std::clamp(asked, 0.0, 1.0) * kWhite));
  }
  return ToneCurve::FromTable(table);
}

}  // namespace

Result<ToneCurve> CurveOf(const Tone& tone) {
  HALFTONED_TRY(CheckNumbers(Look{{}, tone}));
  if (tone.dot_gain == 0) {
    return CurveOfSteps([&](double v) { return Wished(tone, v); });
  }
  Printed printed(
      [&](double v) { return WithDotGain(tone.dot_gain / 100, v); });
  return CurveOfSteps(
      [&](double v) { return printed.AskFor(Wished(tone, v)); });
}

Result<ToneCurve> TypicalCurve(Technology technology, double dots_per_inch,
                               bool has_feedback) {
  if (technology != Technology::kLaser) {
    return CurveOf({.dot_gain = TypicalDotGain(technology, dots_per_inch)});
  }
  Printed printed([&](double v) {
    return LightOfTypicalLaser(v, dots_per_inch, has_feedback);
  });
  return CurveOfSteps([&](double v) { return printed.AskFor(v); });
}

double TypicalDotGain(Technology technology, double dots_per_inch) {
  if (technology == Technology::kLaser) {
    return 50 - 100 * LightOfTypicalLaser(0.5, dots_per_inch);
  }
  struct Point {
    double dots_per_inch;
    double inkjet;
    double thermal;
  };
  constexpr Point kPoints[] = {
      {0, 0, 0}, {300, 10, 8}, {600, 16, 14}, {1200, 24, 22}};
  const auto gain_at = [&](const Point& point) {
    return technology == Technology::kInkjet ? point.inkjet : point.thermal;
  };
  const Point* const last = std::end(kPoints) - 1;
  if (dots_per_inch >= last->dots_per_inch) return gain_at(*last);
  const Point* b = kPoints + 1;
  while (b->dots_per_inch < dots_per_inch) ++b;
  const Point* a = b - 1;
  const double part = (dots_per_inch - a->dots_per_inch) /
                      (b->dots_per_inch - a->dots_per_inch);
  return std::lerp(gain_at(*a), gain_at(*b), part);
}

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
