// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/scanner_model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "bench/tone/jpeg_loss.h"
#include "calibrate/sheet/calibration_sheet.h"
#include "calibrate/sheet/normal.h"

namespace halftoned::bench {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

constexpr double kBlack = 0.035;     // light, of paper
constexpr double kPaperAround = 12;  // millimetres of paper
constexpr double kInch = 25.4;       // millimetres

// The light along a ruling.
class RulingProfile {
 public:
  // sample: micrometres that each value is the mean of.
  RulingProfile(const Laser& laser, const Ruling& ruling, double sample)
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
    const std::vector<double> deviations = ScatteringOf(laser).deviations;
    std::vector<double> scattered(light_.size());
    for (const double deviation : deviations) {
      const std::vector<double> blurred = Blurred(light_, deviation);
      for (int i = 0; i < count; ++i) {
        scattered[i] += blurred[i] / double(deviations.size());
      }
    }
    for (int i = 0; i < count; ++i) {
      light_[i] = (light_[i] * scattered[i] - black) / (1 - black);
    }
    light_ = Averaged(light_, static_cast<int>(sample / kPart / 2));
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

  // Of so many on both sides.
  static std::vector<double> Averaged(const std::vector<double>& values,
                                      int reach) {
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

  double period_;  // micrometres
  std::vector<double> light_;
};

// The print, in millimetres of the sheet.
class Print {
 public:
  Print(const SheetPrint& print, double sample) : code_(*CodeOf(print.info)) {
    for (int tone = 0; tone < 256; ++tone) light_[tone] = print.light_of(tone);
    for (const SheetPatch& patch : Sheet::Patches()) {
      patches_[patch.row * Sheet::kColumns + patch.column] = patch;
    }
    for (const Ruling& ruling : Sheet::kRulings) {
      rulings_.try_emplace({ruling.black, ruling.white}, print.laser, ruling,
                           1000 * sample);
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
  std::map<std::pair<int, int>, RulingProfile> rulings_;
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

// Drawn once; drawing some for each pixel would take longest.
class Noise {
 public:
  explicit Noise(const Scanner& scanner) : noise_(65521) {
    std::mt19937 random(scanner.seed);
    std::normal_distribution<float> normal;
    for (double& each : noise_) each = scanner.noise * normal(random);
  }
  double Next() { return noise_[next_++ % noise_.size()]; }

 private:
  std::vector<double> noise_;
  size_t next_ = 0;
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
  double pixel() const { return pixel_ / scale_; }  // millimetres of the sheet
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

// The light of each pixel: a Gaussian of a square's mean.
class Light {
 public:
  Light(const SheetPrint& sheet, const Scanner& scanner, const View& view)
      : view_(view),
        samples_(
            std::max(2, static_cast<int>(std::ceil(view.pixel() / kMost)))),
        print_(sheet, view.pixel() / samples_),
        margin_(static_cast<int>(std::ceil(3.5 * scanner.blur + 0.5))),
        weights_(WeightsOf(scanner.blur)),
        light_(static_cast<size_t>(view.pixels()) * view.pixels()) {
    const int pixels = view.pixels();
    for (int row = -margin_ * samples_; row < (pixels + margin_) * samples_;
         ++row) {
      AddRow(row);
    }
  }

  float At(int j, int i) const {
    return light_[static_cast<size_t>(i) * view_.pixels() + j];
  }

 private:
  static constexpr double kMost = 0.03;  // millimetres from sample to sample

  // Of samples from `margin_` pixels before a pixel to as many behind it.
  std::vector<float> WeightsOf(double blur) const {
    std::vector<float> weights;
    double sum = 0;
    for (int k = 0; k < (2 * margin_ + 1) * samples_; ++k) {
      const double at = (k + 0.5) / samples_ - margin_ - 0.5;
      const double weight =
          NormalBelow((at + 0.5) / blur) - NormalBelow((at - 0.5) / blur);
      weights.push_back(static_cast<float>(weight));
      sum += weight;
    }
    for (float& weight : weights) weight /= static_cast<float>(sum);
    return weights;
  }

  // Takes a row of samples to the pixels that it belongs to.
  void AddRow(int row) {
    const int pixels = view_.pixels();
    const std::vector<float> samples = SamplesOf(row);
    std::vector<float> blurred(static_cast<size_t>(pixels));
    for (int j = 0; j < pixels; ++j) {
      const float* from = samples.data() + static_cast<ptrdiff_t>(j) * samples_;
      for (size_t k = 0; k < weights_.size(); ++k) {
        blurred[j] += weights_[k] * from[k];
      }
    }
    const int pixel = (row + margin_ * samples_) / samples_ - margin_;
    for (int i = std::max(0, pixel - margin_);
         i <= std::min(pixels - 1, pixel + margin_); ++i) {
      const float weight = weights_[row - (i - margin_) * samples_];
      float* to = light_.data() + static_cast<size_t>(i) * pixels;
      for (int j = 0; j < pixels; ++j) to[j] += weight * blurred[j];
    }
  }

  std::vector<float> SamplesOf(int row) const {
    const int pixels = view_.pixels() + 2 * margin_;
    const double i = (row + 0.5) / samples_;
    std::vector<float> samples(static_cast<size_t>(pixels) * samples_);
    for (int pixel = 0; pixel < pixels; ++pixel) {
      float* to = samples.data() + static_cast<ptrdiff_t>(pixel) * samples_;
      const double j = pixel - margin_;
      const auto [x, y] = view_.ToSheet(j + 0.5, i);
      if (print_.IsFlat(x, y, view_.pixel())) {
        std::fill_n(to, samples_, static_cast<float>(print_.At(x, y)));
        continue;
      }
      for (int k = 0; k < samples_; ++k) {
        const auto [u, v] = view_.ToSheet(j + (k + 0.5) / samples_, i);
        to[k] = static_cast<float>(print_.At(u, v));
      }
    }
    return samples;
  }

  const View& view_;
  const int samples_;  // of a pixel
  const Print print_;
  const int margin_;  // pixels
  const std::vector<float> weights_;
  std::vector<float> light_;
};

}  // namespace

GrayPicture ScanOf(const SheetPrint& sheet, const Scanner& scanner) {
  const View view(scanner, sheet.scale);
  const Light light(sheet, scanner, view);
  const Coding coding(scanner);
  Noise noise(scanner);
  GrayPicture scan(view.pixels(), view.pixels());
  for (int i = 0; i < scan.height; ++i) {
    for (int j = 0; j < scan.width; ++j) {
      const double across = view.Across(j);
      const double down = view.Across(i);
      const double reflected =
          (kBlack + (1 - kBlack) * light.At(j, i)) * scanner.paper *
          (1 - scanner.vignetting * (across * across + down * down) / 2);
      const double code = coding.At(reflected) + noise.Next();
      scan.At(j, i) =
          static_cast<uint8_t>(std::lround(255 * std::clamp(code, 0.0, 1.0)));
    }
  }
  if (scanner.jpeg_quality > 0) LoseAsJpeg(scan, scanner.jpeg_quality);
  return scan;
}

}  // namespace halftoned::bench
