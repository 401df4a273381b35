// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preview/reading_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "calibrate/sheet/normal.h"
#include "preview/printed_rows.h"

namespace halftoned {
namespace {

constexpr double kInchOfEye = 25.4;  // in millimeters
// The standard deviation of the eye's blur, in minutes of arc.
constexpr double kEyeBlur = 1;
constexpr double kEyeReach = 3;  // deviations

double BlurOfEye() {
  return ReadingView::kDistance *
         std::tan(kEyeBlur * std::numbers::pi / (180 * 60));
}

}  // namespace

// IEC 61966-2-1.
uint8_t CodeOfLight(double light) {
  light = std::clamp(light, 0.0, 1.0);
  const double code = light <= 0.0031308
                          ? 12.92 * light
                          : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  return static_cast<uint8_t>(std::lround(255 * code));
}

double LightThrough(const ToneCurve& tones, double light) {
  const double black = LightOfSolidBlack();
  const double between =
      std::clamp((light - black) / (1 - black), 0.0, 1.0) * kWhite;
  const auto below = std::min(static_cast<size_t>(between), size_t{kWhite - 1});
  const double printed =
      std::lerp(tones.table()[below], tones.table()[below + 1],
                between - static_cast<double>(below)) /
      kWhite;
  return black + (1 - black) * printed;
}

int ReadingView::PixelsOf(size_t parts, double per_inch) {
  const double pixels = static_cast<double>(parts) / per_inch * kPixelsOfInch;
  return std::max(1, static_cast<int>(std::lround(pixels)));
}

// A pixel gets its own area, blurred: the eye's Gaussian, around each part of
// its width.
std::vector<ReadingView::Pixel> ReadingView::PixelsAlong(size_t parts,
                                                         double per_inch) {
  const double part = kInchOfEye / per_inch;
  const double pixel = kInchOfEye / kPixelsOfInch;
  const double blur = BlurOfEye();
  const double reach = pixel / 2 + kEyeReach * blur;
  const auto integral = [&](double from, double to) {
    // The blurred box of a pixel, by Simpson's rule, since it is smooth.
    const auto at = [&](double x) {
      return NormalBelow((x + pixel / 2) / blur) -
             NormalBelow((x - pixel / 2) / blur);
    };
    return (to - from) / 6 * (at(from) + 4 * at((from + to) / 2) + at(to));
  };
  std::vector<Pixel> pixels;
  for (int i = 0; i < PixelsOf(parts, per_inch); ++i) {
    const double middle = (i + 0.5) * pixel;
    const auto first =
        static_cast<int64_t>(std::floor((middle - reach) / part));
    const auto end = static_cast<int64_t>(std::ceil((middle + reach) / part));
    double sum = 0, outside = 0;
    Pixel seen{static_cast<size_t>(
                   std::clamp(first, int64_t{0}, static_cast<int64_t>(parts))),
               {},
               0};
    for (int64_t at = first; at < end; ++at) {
      const double from = static_cast<double>(at) * part - middle;
      const double weight = integral(from, from + part);
      sum += weight;
      if (at < 0 || at >= static_cast<int64_t>(parts)) {
        outside += weight;
      } else {
        seen.weights.push_back(static_cast<float>(weight));
      }
    }
    for (float& weight : seen.weights) weight /= static_cast<float>(sum);
    seen.paper = static_cast<float>(outside / sum);
    pixels.push_back(std::move(seen));
  }
  return pixels;
}

ReadingView::ReadingView(size_t parts_across, size_t parts_down,
                         double across_per_inch, double down_per_inch,
                         const ToneCurve& tones)
    : across_(PixelsAlong(parts_across, across_per_inch)),
      down_(PixelsAlong(parts_down, down_per_inch)),
      tones_(tones),
      seen_across_(across_.size()) {
  seen_.reserve(across_.size() * down_.size());
  for (const Pixel& pixel : down_) {
    seen_.insert(seen_.end(), across_.size(), pixel.paper);
  }
}

void ReadingView::Add(std::span<const float> light) {
  for (size_t i = 0; i < across_.size(); ++i) {
    const Pixel& pixel = across_[i];
    float sum = pixel.paper;
    for (size_t k = 0; k < pixel.weights.size(); ++k) {
      sum += pixel.weights[k] * light[pixel.first + k];
    }
    seen_across_[i] = sum;
  }
  while (first_down_ < down_.size() &&
         down_[first_down_].first + down_[first_down_].weights.size() <= row_) {
    ++first_down_;
  }
  for (size_t i = first_down_; i < down_.size() && down_[i].first <= row_;
       ++i) {
    if (row_ - down_[i].first >= down_[i].weights.size()) continue;
    const float weight = down_[i].weights[row_ - down_[i].first];
    float* to = seen_.data() + i * across_.size();
    for (size_t k = 0; k < across_.size(); ++k)
      to[k] += weight * seen_across_[k];
  }
  ++row_;
}

GrayPicture ReadingView::Picture() const {
  GrayPicture picture(static_cast<int>(across_.size()),
                      static_cast<int>(down_.size()));
  for (size_t i = 0; i < seen_.size(); ++i) {
    picture.at[i] =
        CodeOfLight(LightThrough(tones_, static_cast<double>(seen_[i])));
  }
  return picture;
}

}  // namespace halftoned
