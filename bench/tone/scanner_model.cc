// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/scanner_model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "bench/tone/jpeg_loss.h"
#include "calibrate/sheet/calibration_sheet.h"
#include "calibrate/sheet/normal.h"

namespace halftoned::bench {
namespace {

using Sheet = CalibrationSheet;

constexpr double kBlack = 0.035;     // light, of paper
constexpr double kPaperAround = 12;  // millimeters of paper
constexpr double kInch = 25.4;       // millimeters

// How light is coded, computed once for some lights.
class Coding {
 public:
  explicit Coding(const Scanner& scanner) : codes_(kSteps + 1) {
    for (size_t i = 0; i < codes_.size(); ++i) {
      codes_[i] = CodeOf(scanner, kMostLight * static_cast<double>(i) / kSteps);
    }
  }
  double At(double light) const {
    const double step = std::max(light, 0.0) / kMostLight * kSteps;
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
    code += scanner.s * code * (1 - code) * (2 * code - 1);
    return (code - scanner.least_code) / (1 - scanner.least_code);
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
  double pixel() const { return pixel_ / scale_; }  // millimeters of the sheet
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
        margin_(MarginOf(scanner)),
        across_(WeightsOf(scanner, scanner.blur)),
        down_(WeightsOf(scanner, BlurDown(scanner))),
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
  static constexpr double kFlare = 3;
  static constexpr double kMost = 0.03;  // millimeters from sample to sample

  static double BlurDown(const Scanner& scanner) {
    return scanner.blur_down > 0 ? scanner.blur_down : scanner.blur;
  }

  static int MarginOf(const Scanner& scanner) {
    const double deviations = scanner.flare != 0 ? 3 * kFlare : 3.5;
    const double blur = std::max(scanner.blur, BlurDown(scanner));
    return static_cast<int>(std::ceil(deviations * blur + 0.5));
  }

  // The weights of the samples from `margin_` pixels before to as many after.
  std::vector<float> WeightsOf(const Scanner& scanner, double blur) const {
    std::vector<float> weights;
    double sum = 0;
    for (int k = 0; k < (2 * margin_ + 1) * samples_; ++k) {
      const double at = (k + 0.5) / samples_ - margin_ - 0.5;
      const auto of_pixel = [at](double deviation) {
        return NormalBelow((at + 0.5) / deviation) -
               NormalBelow((at - 0.5) / deviation);
      };
      const double weight =
          std::lerp(of_pixel(blur), of_pixel(kFlare * blur), scanner.flare);
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
      for (size_t k = 0; k < across_.size(); ++k) {
        blurred[j] += across_[k] * from[k];
      }
    }
    const int pixel = (row + margin_ * samples_) / samples_ - margin_;
    for (int i = std::max(0, pixel - margin_);
         i <= std::min(pixels - 1, pixel + margin_); ++i) {
      const float weight = down_[row - (i - margin_) * samples_];
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
  const PrintedSheet print_;
  const int margin_;  // pixels
  const std::vector<float> across_;
  const std::vector<float> down_;
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
