// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/scanner_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "bench/tone/jpeg_loss.h"
#include "calibrate/sheet/calibration_sheet.h"

namespace halftoned::bench {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

constexpr double kBlack = 0.035;     // light, of paper
constexpr double kPaperAround = 12;  // millimetres of paper
constexpr double kInch = 25.4;       // millimetres

// The light along a ruling.
class RulingLight {
 public:
  RulingLight(const Laser& laser, const Ruling& ruling)
      : period_(1000 * Sheet::kUnit * ruling.period()) {
    const int count = static_cast<int>(std::lround(period_ / kPart));
    std::vector<double> ink(count);
    for (int i = 0; i < count; ++i) {
      ink[i] = i * ruling.period() < count * ruling.black ? 1 : 0;
    }
    light_ = Blurred(ink, laser.spot / 2.3548);
    const double black = BlackOfLaser();
    for (double& at : light_) {
      at = std::pow(black, Developed(laser, at) / 2);
    }
    const std::vector<double> scattered = Blurred(light_, laser.spread);
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
  static constexpr double kPart = 2;  // micrometres

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

  double period_;  // micrometres
  std::vector<double> light_;
};

// The print, in millimetres of the sheet.
class Print {
 public:
  explicit Print(const SheetPrint& print) : code_(*CodeOf(print.info)) {
    for (int tone = 0; tone < 256; ++tone) light_[tone] = print.light_of(tone);
    for (const SheetPatch& patch : Sheet::Patches()) {
      patches_[patch.row * Sheet::kColumns + patch.column] = patch;
    }
    for (const Ruling& ruling : Sheet::kRulings) {
      rulings_.try_emplace({ruling.black, ruling.white}, print.laser, ruling);
    }
  }

  double At(double x, double y) const {
    if (IsOutside(x, y, 0)) return 1;
    const double in_frame = std::min(std::min(x, Sheet::kWidth - x),
                                     std::min(y, Sheet::kHeight - y));
    if (in_frame < Sheet::kFrame) return 0;
    if (y >= Sheet::kCodeTop) return InCode(x, y);
    const Place place = PlaceOf(x, y);
    return place.patch ? InPatch(*place.patch, place.x, place.y) : 1;
  }

  // Whether all is the same light so many millimetres around.
  bool IsFlat(double x, double y, double around) const {
    if (IsOutside(x, y, around)) return true;
    const Place place = PlaceOf(x, y);
    const double inside = std::min(std::min(place.x, Sheet::kSide - place.x),
                                   std::min(place.y, Sheet::kSide - place.y));
    return place.patch && place.patch->kind != Kind::kRuling && inside > around;
  }

 private:
  struct Place {
    const SheetPatch* patch = nullptr;
    double x = 0;
    double y = 0;
  };

  static bool IsOutside(double x, double y, double around) {
    return x < -around || y < -around || x >= Sheet::kWidth + around ||
           y >= Sheet::kHeight + around;
  }

  Place PlaceOf(double x, double y) const {
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

  double InCode(double x, double y) const {
    const int column =
        static_cast<int>((x - Sheet::kFirst) / Sheet::kCodeSquare);
    const int row =
        static_cast<int>((y - Sheet::kCodeTop) / Sheet::kCodeSquare);
    if (x < Sheet::kFirst || column >= Sheet::kCodeColumns ||
        row >= Sheet::kCodeRows) {
      return 1;
    }
    return code_[row * Sheet::kCodeColumns + column] ? 0 : 1;
  }

  double InPatch(const SheetPatch& patch, double x, double y) const {
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

  const std::vector<bool> code_;
  std::map<std::pair<int, int>, RulingLight> rulings_;
  double light_[256];
  SheetPatch patches_[Sheet::kColumns * Sheet::kRows];
};

// How light is coded, computed once for some lights.
class Coding {
 public:
  explicit Coding(const Scanner& scanner) : codes_(kSteps + 1) {
    for (size_t i = 0; i < codes_.size(); ++i) {
      codes_[i] = CodeOf(scanner, kMostLight * static_cast<double>(i) / kSteps);
    }
  }
  double At(double light) const {
    const double step = light / kMostLight * kSteps;
    return codes_[std::min(static_cast<size_t>(step + 0.5), kSteps)];
  }

 private:
  static constexpr size_t kSteps = 1 << 15;
  static constexpr double kMostLight = 1.3;

  static double CodeOf(const Scanner& scanner, double light) {
    double code = std::pow(light, 1 / scanner.gamma);
    if (scanner.is_srgb) {
      code = light <= 0.0031308 ? 12.92 * light
                                : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
    }
    return code + scanner.s * code * (1 - code) * (2 * code - 1);
  }

  std::vector<double> codes_;
};

constexpr int kSamples = 8;  // of a pixel

// Makes groups of kSamples numbers, each with one of each eighth of all: so few
// samples of a pixel are nearly as good as many.
std::vector<double> InGroups(std::vector<double> numbers,
                             std::mt19937& random) {
  std::sort(numbers.begin(), numbers.end());
  const size_t groups = numbers.size() / kSamples;
  std::array<size_t, kSamples> order;
  std::iota(order.begin(), order.end(), size_t{0});
  for (const size_t k : order) {
    const auto part = numbers.begin() + static_cast<ptrdiff_t>(k * groups);
    std::shuffle(part, part + static_cast<ptrdiff_t>(groups), random);
  }
  std::vector<double> grouped;
  for (size_t i = 0; i < groups; ++i) {
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t k : order) grouped.push_back(numbers[k * groups + i]);
  }
  return grouped;
}

// Numbers that are drawn once; drawing some for each pixel would take longest.
class Noise {
 public:
  explicit Noise(const Scanner& scanner) : noise_(65521) {
    std::mt19937 random(scanner.seed);
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<double> in_pixel(0, 1);
    const auto drawn = [&](auto& distribution) {
      std::vector<double> numbers(513 * kSamples);
      for (double& number : numbers) number = distribution(random);
      return InGroups(std::move(numbers), random);
    };
    for (std::vector<double>* way : {&across_, &down_}) {
      *way = drawn(in_pixel);
      const std::vector<double> blur = drawn(normal);
      for (size_t i = 0; i < blur.size(); ++i) {
        (*way)[i] += scanner.blur * blur[i];
      }
    }
    for (double& each : noise_) each = scanner.noise * normal(random);
  }

  // Of a sample, from its pixel's corner.
  std::pair<double, double> NextOffset() {
    next_ = next_ + 1 == across_.size() ? 0 : next_ + 1;
    return {across_[next_], down_[next_]};
  }
  double NextNoise() { return noise_[next_noise_++ % noise_.size()]; }

 private:
  std::vector<double> across_;
  std::vector<double> down_;
  std::vector<double> noise_;
  size_t next_ = 0;
  size_t next_noise_ = 0;
};

// From a scan's pixels to the sheet.
class View {
 public:
  View(const Scanner& scanner, double scale)
      : scanner_(scanner),
        pixel_(kInch / scanner.dots_per_inch),
        scale_(scale),
        side_(scale * Sheet::kHeight + 2 * kPaperAround),
        pixels_(static_cast<int>(side_ / pixel_)) {
    const double angle =
        (scanner.degrees + 90 * scanner.quarters) * std::numbers::pi / 180;
    cos_ = std::cos(angle);
    sin_ = std::sin(angle);
  }

  int pixels() const { return pixels_; }
  double reach() const { return (3 * scanner_.blur + 1) * pixel_ / scale_; }
  // -1 … 1.
  double Across(int i) const { return 2.0 * i / pixels_ - 1; }

  std::pair<double, double> ToSheet(double j, double i) const {
    const double bend = 1 + scanner_.perspective * (2 * j / pixels_ - 1);
    const double u = (j * pixel_ - side_ / 2) * bend;
    const double v = (i * pixel_ - side_ / 2) * bend;
    double x = (cos_ * u + sin_ * v) / scale_;
    const double y = (cos_ * v - sin_ * u) / scale_;
    if (scanner_.is_mirrored) x = -x;
    return {x + Sheet::kWidth / 2, y + Sheet::kHeight / 2};
  }

 private:
  const Scanner& scanner_;
  const double pixel_;
  const double scale_;
  const double side_;
  const int pixels_;
  double cos_;
  double sin_;
};

double LightAt(const Print& print, const View& view, int j, int i,
               Noise& noise) {
  const auto [x, y] = view.ToSheet(j + 0.5, i + 0.5);
  if (print.IsFlat(x, y, view.reach())) return print.At(x, y);
  double light = 0;
  for (int k = 0; k < kSamples; ++k) {
    const auto [right, below] = noise.NextOffset();
    const auto [u, v] = view.ToSheet(j + right, i + below);
    light += print.At(u, v);
  }
  return light / kSamples;
}

}  // namespace

GrayPicture ScanOf(const SheetPrint& sheet, const Scanner& scanner) {
  const Print print(sheet);
  const View view(scanner, sheet.scale);
  const Coding coding(scanner);
  Noise noise(scanner);
  GrayPicture scan(view.pixels(), view.pixels());
  for (int i = 0; i < scan.height; ++i) {
    for (int j = 0; j < scan.width; ++j) {
      const double across = view.Across(j);
      const double down = view.Across(i);
      const double light =
          (kBlack + (1 - kBlack) * LightAt(print, view, j, i, noise)) *
          scanner.paper *
          (1 - scanner.vignetting * (across * across + down * down) / 2);
      const double code = coding.At(light) + noise.NextNoise();
      scan.At(j, i) =
          static_cast<uint8_t>(std::lround(255 * std::clamp(code, 0.0, 1.0)));
    }
  }
  if (scanner.jpeg_quality > 0) LoseAsJpeg(scan, scanner.jpeg_quality);
  return scan;
}

}  // namespace halftoned::bench
