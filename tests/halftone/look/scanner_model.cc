// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/halftone/look/scanner_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace halftoned::testing {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

constexpr double kBlack = 0.035;  // light, of paper

// The light along a ruling, by micrometres.
class Ruling {
 public:
  Ruling(const bench::Laser& laser, double line) : period_(2 * line) {
    const int count = static_cast<int>(std::lround(period_ / kPart));
    std::vector<double> ink(count);
    for (int i = 0; i < count; ++i) ink[i] = i < count / 2 ? 1 : 0;
    light_ = Blurred(ink, laser.spot / 2.3548);
    for (double& at : light_) {
      const auto sigmoid = [&](double e) {
        return 1 / (1 + std::exp(-laser.steepness * (e - laser.threshold)));
      };
      const double density =
          1.5 * (sigmoid(at) - sigmoid(0)) / (sigmoid(1) - sigmoid(0));
      at = std::pow(10, -density / 2);
    }
    const std::vector<double> scattered = Blurred(light_, laser.spread);
    const double black = std::pow(10, -1.5);
    for (int i = 0; i < count; ++i) {
      light_[i] = (light_[i] * scattered[i] - black) / (1 - black);
    }
  }

  double At(double millimetres) const {
    const double at = std::fmod(1000 * millimetres, period_);
    const auto i = static_cast<size_t>(at / period_ * double(light_.size()));
    return light_[std::min(i, light_.size() - 1)];
  }

 private:
  static constexpr double kPart = 2;

  static std::vector<double> Blurred(const std::vector<double>& values,
                                     double deviation) {
    const int count = static_cast<int>(values.size());
    const int reach = static_cast<int>(4 * deviation / kPart);
    std::vector<double> blurred(values.size());
    double all = 0;
    for (int k = -reach; k <= reach; ++k) {
      const double x = k * kPart / deviation;
      const double weight = std::exp(-x * x / 2);
      all += weight;
      for (int i = 0; i < count; ++i) {
        blurred[i] += weight * values[((i + k) % count + count) % count];
      }
    }
    for (double& value : blurred) value /= all;
    return blurred;
  }

  double period_;
  std::vector<double> light_;
};

// The print, in millimetres of the sheet.
class Print {
 public:
  Print(const std::function<double(int)>& light_of, const bench::Laser& laser)
      : fine_(laser, kLine), coarse_(laser, kLine * Sheet::kCoarser) {
    for (int tone = 0; tone < 256; ++tone) light_[tone] = light_of(tone);
    for (const SheetPatch& patch : Sheet::Patches()) {
      patches_[patch.row * Sheet::kColumns + patch.column] = patch;
    }
  }

  double At(double x, double y) const {
    if (x < 0 || y < 0 || x >= Sheet::kWidth || y >= Sheet::kHeight) return 1;
    const double in_frame = std::min(std::min(x, Sheet::kWidth - x),
                                     std::min(y, Sheet::kHeight - y));
    if (in_frame < Sheet::kFrame) return 0;
    x -= Sheet::kFirst;
    y -= Sheet::kFirst;
    if (x < 0 || y < 0) return 1;
    const int column = static_cast<int>(x / Sheet::kCell);
    const int row = static_cast<int>(y / Sheet::kCell);
    if (column >= Sheet::kColumns || row >= Sheet::kRows) return 1;
    const double inset = (Sheet::kCell - Sheet::kSide) / 2;
    return InPatch(patches_[row * Sheet::kColumns + column],
                   x - column * Sheet::kCell - inset,
                   y - row * Sheet::kCell - inset);
  }

 private:
  static constexpr double kLine = 25400.0 / Sheet::kFineLines / 2;

  double InPatch(const SheetPatch& patch, double x, double y) const {
    if (x < 0 || y < 0 || x >= Sheet::kSide || y >= Sheet::kSide) return 1;
    switch (patch.kind) {
      case Kind::kBlank:
        return 1;
      case Kind::kSolid:
        return 0;
      case Kind::kTone:
        return light_[patch.tone];
      case Kind::kFine:
        return fine_.At(patch.is_lying ? y : x);
      case Kind::kCoarse:
        return coarse_.At(patch.is_lying ? y : x);
    }
    return 1;
  }

  const Ruling fine_;
  const Ruling coarse_;
  double light_[256];
  SheetPatch patches_[Sheet::kColumns * Sheet::kRows];
};

}  // namespace

GrayPicture ScanOf(const std::function<double(int)>& light_of,
                   const bench::Laser& laser, const Scanner& scanner) {
  constexpr int kSamples = 16;  // of a pixel
  constexpr double kMillimetresOfInch = 25.4;
  const Print print(light_of, laser);
  const double pixel = kMillimetresOfInch / scanner.dots_per_inch;
  const double side = Sheet::kWidth + 40;
  const int pixels = static_cast<int>(side / pixel);
  const double angle =
      (scanner.degrees + 90 * scanner.quarters) * std::numbers::pi / 180;
  std::mt19937 random(scanner.seed);
  std::normal_distribution<float> normal;
  // Drawing numbers for each pixel would take longest.
  std::vector<std::array<double, 2>> offsets(4099);
  for (auto& [x, y] : offsets) {
    x = 0.5 + scanner.blur * normal(random);
    y = 0.5 + scanner.blur * normal(random);
  }
  std::vector<double> noise(65521);
  for (double& each : noise) each = scanner.noise * normal(random);
  GrayPicture scan(pixels, pixels);
  size_t next = 0;
  for (int i = 0; i < pixels; ++i) {
    for (int j = 0; j < pixels; ++j) {
      double light = 0;
      const double across = 2.0 * j / pixels - 1;
      const double down = 2.0 * i / pixels - 1;
      for (int k = 0; k < kSamples; ++k) {
        const auto& offset = offsets[next++ % offsets.size()];
        double u = (j + offset[0]) * pixel - side / 2;
        const double v = ((i + offset[1]) * pixel - side / 2) *
                         (1 + scanner.perspective * across);
        u *= 1 + scanner.perspective * across;
        double x = std::cos(angle) * u + std::sin(angle) * v;
        const double y = std::cos(angle) * v - std::sin(angle) * u;
        if (scanner.is_mirrored) x = -x;
        light += print.At(x + Sheet::kWidth / 2, y + Sheet::kHeight / 2);
      }
      light = kBlack + (1 - kBlack) * light / kSamples;
      light *= scanner.paper *
               (1 - scanner.vignetting * (across * across + down * down) / 2);
      const double code =
          std::pow(light, 1 / scanner.gamma) + noise[next * 31 % noise.size()];
      scan.At(j, i) =
          static_cast<uint8_t>(std::lround(255 * std::clamp(code, 0.0, 1.0)));
    }
  }
  return scan;
}

}  // namespace halftoned::testing
