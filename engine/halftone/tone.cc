// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/tone.h"

#include <algorithm>
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

// What is wished of the light v, before the printer comes.
double Wished(const Tone& tone, double v) {
  v = AboveBlackPoint(v, tone.black_point / 255);
  v += tone.contrast / 100 * v * (1 - v) * (2 * v - 1);
  v += tone.brightness / 100 * v * (1 - v);
  if (tone.gamma != 1) v = std::pow(v, 1 / tone.gamma);
  if (tone.toner_save != 0) v = WithLessToner(v, tone.toner_save / 100);
  return v;
}

// The light that comes of each step, by dots that gain.
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

  // What must be asked for to get `light`. Never less than what the last call
  // was asked for.
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
  HALFTONED_TRY(CheckNumbers(kToneNumbers, tone));
  Printed printed(tone.dot_gain / 100);
  ToneCurve::Table table;
  for (size_t i = 0; i < table.size(); ++i) {
    const double wished = Wished(tone, static_cast<double>(i) / kWhite);
    table[i] = static_cast<uint16_t>(
        std::lround(std::clamp(printed.AskFor(wished), 0.0, 1.0) * kWhite));
  }
  return ToneCurve::FromTable(table);
}

std::optional<Technology> TechnologyNamed(std::string_view name) {
  if (name == "laser") return Technology::kLaser;
  if (name == "inkjet") return Technology::kInkjet;
  if (name == "thermal") return Technology::kThermal;
  return std::nullopt;
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
