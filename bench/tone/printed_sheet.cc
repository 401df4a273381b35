// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/printed_sheet.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace halftoned::bench {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

constexpr int kPartsOfUnit = 42;
constexpr double kRulingPart =
    1000 * Sheet::kUnit / kPartsOfUnit;  // micrometers

std::vector<double> BlurredRound(const std::vector<double>& values,
                                 double deviation) {
  const int count = static_cast<int>(values.size());
  const int reach = static_cast<int>(4 * deviation / kRulingPart);
  std::vector<double> blurred(values.size());
  double all = 0;
  for (int k = -reach; k <= reach; ++k) {
    const double x = k * kRulingPart / deviation;
    const double weight = std::exp(-x * x / 2);
    all += weight;
    for (int i = 0; i < count; ++i) {
      blurred[i] += weight * values[((i + k) % count + count) % count];
    }
  }
  for (double& value : blurred) value /= all;
  return blurred;
}

// Each value becomes the mean of itself and `reach` values on both sides.
std::vector<double> Averaged(const std::vector<double>& values, int reach) {
  const int count = static_cast<int>(values.size());
  std::vector<double> averaged(values.size());
  for (int i = 0; i < count; ++i) {
    for (int k = -reach; k <= reach; ++k) {
      averaged[i] += values[((i + k) % count + count) % count];
    }
    averaged[i] /= 2 * reach + 1;
  }
  return averaged;
}

bool IsOutside(double x, double y, double around) {
  return x < -around || y < -around || x >= Sheet::kWidth + around ||
         y >= Sheet::kHeight + around;
}

}  // namespace

RulingProfile::RulingProfile(const Laser& laser, const Ruling& ruling,
                             double sample)
    : period_(1000 * Sheet::kUnit * ruling.period()) {
  const int count = kPartsOfUnit * ruling.period();
  std::vector<double> ink(count);
  for (int i = 0; i < count; ++i) {
    ink[i] = i < kPartsOfUnit * ruling.black ? 1 : 0;
  }
  light_ = BlurredRound(ink, laser.spot / 2.3548);
  const double black = BlackOfLaser();
  for (double& at : light_) {
    at = std::pow(black, Developed(laser, at) / 2);
  }
  const std::vector<double> deviations = ScatteringOf(laser).deviations;
  std::vector<double> scattered(light_.size());
  for (const double deviation : deviations) {
    const std::vector<double> blurred = BlurredRound(light_, deviation);
    for (int i = 0; i < count; ++i) {
      scattered[i] += blurred[i] / double(deviations.size());
    }
  }
  for (int i = 0; i < count; ++i) {
    light_[i] = (light_[i] * scattered[i] - black) / (1 - black);
  }
  light_ = Averaged(light_, static_cast<int>(sample / kRulingPart / 2));
}

double RulingProfile::At(double millimeters) const {
  const double at = std::fmod(1000 * millimeters, period_);
  const auto i = static_cast<size_t>(at / period_ * double(light_.size()));
  return light_[std::min(i, light_.size() - 1)];
}

PrintedSheet::PrintedSheet(const SheetPrint& print, double sample)
    : code_(*CodeOf(print.info)) {
  for (int tone = 0; tone < 256; ++tone) light_[tone] = print.light_of(tone);
  for (const SheetPatch& patch : Sheet::Patches()) {
    patches_[patch.row * Sheet::kColumns + patch.column] = patch;
  }
  for (const Ruling& ruling : Sheet::kRulings) {
    rulings_.try_emplace({ruling.black, ruling.white}, print.laser, ruling,
                         1000 * sample);
  }
}

double PrintedSheet::At(double x, double y) const {
  if (IsOutside(x, y, 0)) return 1;
  const double in_frame =
      std::min(std::min(x, Sheet::kWidth - x), std::min(y, Sheet::kHeight - y));
  if (in_frame < Sheet::kFrame) return 0;
  if (y >= Sheet::kCodeTop) return InCode(x, y);
  const Place place = PlaceOf(x, y);
  return place.patch ? InPatch(*place.patch, place.x, place.y) : 1;
}

bool PrintedSheet::IsFlat(double x, double y, double around) const {
  if (IsOutside(x, y, around)) return true;
  const Place place = PlaceOf(x, y);
  const double inside = std::min(std::min(place.x, Sheet::kSide - place.x),
                                 std::min(place.y, Sheet::kSide - place.y));
  return place.patch && place.patch->kind != Kind::kRuling && inside > around;
}

PrintedSheet::Place PrintedSheet::PlaceOf(double x, double y) const {
  x -= Sheet::kFirst;
  y -= Sheet::kFirst;
  if (x < 0 || y < 0) return {};
  const int column = static_cast<int>(x / Sheet::kCell);
  const int row = static_cast<int>(y / Sheet::kCell);
  if (column >= Sheet::kColumns || row >= Sheet::kRows) return {};
  const double inset = (Sheet::kCell - Sheet::kSide) / 2;
  return {&patches_[row * Sheet::kColumns + column],
          x - column * Sheet::kCell - inset, y - row * Sheet::kCell - inset};
}

double PrintedSheet::InCode(double x, double y) const {
  const int column = static_cast<int>((x - Sheet::kFirst) / Sheet::kCodeSquare);
  const int row = static_cast<int>((y - Sheet::kCodeTop) / Sheet::kCodeSquare);
  if (x < Sheet::kFirst || column >= Sheet::kCodeColumns ||
      row >= Sheet::kCodeRows) {
    return 1;
  }
  return code_[row * Sheet::kCodeColumns + column] ? 0 : 1;
}

double PrintedSheet::InPatch(const SheetPatch& patch, double x,
                             double y) const {
  if (x < 0 || y < 0 || x >= Sheet::kSide || y >= Sheet::kSide) return 1;
  switch (patch.kind) {
    case Kind::kBlank:
      return 1;
    case Kind::kSolid:
      return 0;
    case Kind::kTone:
      return light_[patch.tone];
    case Kind::kRuling:
      return rulings_.at({patch.ruling.black, patch.ruling.white})
          .At(patch.is_lying ? y : x);
  }
  return 1;
}

}  // namespace halftoned::bench
