// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/sheet_curve.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace halftoned {
namespace {

constexpr double kWhiteTone = 255;

// The values nearest to `values` whose third differences are small. A larger
// `stiffness` makes these smaller. The ends do not change.
std::vector<double> Smoothed(const std::vector<double>& values,
                             double stiffness) {
  constexpr double kHeld = 1e6;
  constexpr double kThird[] = {-1, 3, -3, 1};
  const size_t count = values.size();
  std::vector<std::vector<double>> rows(count, std::vector<double>(count + 1));
  for (size_t i = 0; i < count; ++i) {
    const double weight = i == 0 || i + 1 == count ? kHeld : 1;
    rows[i][i] += weight;
    rows[i][count] += weight * values[i];
  }
  for (size_t i = 0; i + 3 < count; ++i) {
    for (size_t j = 0; j < 4; ++j) {
      for (size_t k = 0; k < 4; ++k) {
        rows[i + j][i + k] += stiffness * kThird[j] * kThird[k];
      }
    }
  }
  SolveEquations(rows);
  std::vector<double> smooth;
  for (const auto& row : rows) smooth.push_back(row[count]);
  return smooth;
}

double Distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

// As smooth as the noise permits: smoothing removes no more than the noise.
std::vector<double> WithoutNoise(const std::vector<double>& values,
                                 double noise) {
  double least = -4, most = 4;  // powers of ten
  for (int i = 0; i < 20; ++i) {
    const double middle = (least + most) / 2;
    const auto smooth = Smoothed(values, std::pow(10, middle));
    (Distance(values, smooth) > noise ? most : least) = middle;
  }
  return Smoothed(values, std::pow(10, least));
}

// The smallest change that makes values rise: falling neighbors are replaced by
// their mean.
std::vector<double> Rising(const std::vector<double>& values) {
  struct Run {
    double sum;
    size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Run> runs;
  for (const double value : values) {
    runs.push_back({value, 1});
    while (runs.size() > 1) {
      const Run last = runs.back();
      Run& before = runs[runs.size() - 2];
      if (before.mean() <= last.mean()) break;
      before = {before.sum + last.sum, before.count + last.count};
      runs.pop_back();
    }
  }
  std::vector<double> rising;
  for (const Run& run : runs) {
    rising.insert(rising.end(), run.count, run.mean());
  }
  return rising;
}

}  // namespace

std::vector<double> PrintedLight(const SheetReading& reading) {
  std::vector<double> values = {0};
  for (const ToneReading& tone : reading.tones) values.push_back(tone.light);
  values.push_back(1);
  // Readings are means of two places.
  const auto rising =
      Rising(WithoutNoise(values, reading.noise / std::sqrt(2)));
  std::vector<double> light(256);
  for (size_t i = 0; i + 1 < rising.size(); ++i) {
    const int from = i == 0 ? 0 : reading.tones[i - 1].tone;
    const int to = i + 2 == rising.size() ? 255 : reading.tones[i].tone;
    for (int tone = from; tone <= to; ++tone) {
      const double part = double(tone - from) / (to - from);
      light[static_cast<size_t>(tone)] =
          std::clamp(std::lerp(rising[i], rising[i + 1], part), 0.0, 1.0);
    }
  }
  return light;
}

std::string CurveTextOf(const std::vector<double>& printed) {
  constexpr double kLeastStep = 0.05;  // between inputs, where white is 255
  constexpr size_t kEvery = 3;
  std::string text = "0 0\n";
  double last = 0;
  for (size_t tone = kEvery; tone < 255; tone += kEvery) {
    const double input = kWhiteTone * printed[tone];
    if (input < last + kLeastStep || input > kWhiteTone - kLeastStep) continue;
    last = input;
    char number[32];
    const auto [end, error] = std::to_chars(number, number + sizeof(number),
                                            input, std::chars_format::fixed, 2);
    text.append(number, end);
    text.append(1, ' ').append(std::to_string(tone)).append(1, '\n');
  }
  return text + "255 255\n";
}

Residual ExpectedResidual(const SheetReading& reading) {
  // For a normal distribution: the mean distance, and a distance that is rarely
  // exceeded.
  constexpr double kMean = 0.8;
  constexpr double kMost = 2;
  Residual residual;
  for (const ToneReading& tone : reading.tones) {
    const double deviation =
        kWhiteTone * std::hypot(tone.deviation, reading.noise / std::sqrt(2));
    residual.mean +=
        kMean * deviation / static_cast<double>(reading.tones.size());
    residual.worst = std::max(residual.worst, kMost * deviation);
  }
  // An error about the scanner moves all tones together.
  residual.mean_limit = kMost / kMean * residual.mean;
  return residual;
}

Residual ResidualOf(const SheetReading& reading) {
  Residual residual;
  for (const ToneReading& tone : reading.tones) {
    const double off = std::abs(kWhiteTone * tone.light - tone.tone);
    residual.mean += off / static_cast<double>(reading.tones.size());
    residual.worst = std::max(residual.worst, off);
  }
  return residual;
}

}  // namespace halftoned
