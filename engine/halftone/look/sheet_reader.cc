// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/sheet_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

#include "halftone/look/sheet_finder.h"

namespace halftoned {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

constexpr double kLooked = 6.8;  // millimetres of a patch's side
constexpr double kLeastGamma = 1.2;
constexpr double kMostGamma = 3.4;
constexpr double kMostSpread = 0.08;
constexpr double kLeastSlope = 0.1;  // of the miss, by gamma
constexpr int kClipped = 254;

// How much of a patch has which code, 0 … 1.
class Codes {
 public:
  void Add(double code, double weight) {
    const double step = std::clamp(code, 0.0, 1.0) * (kSteps - 1);
    weights_[static_cast<size_t>(std::lround(step))] += weight;
    all_ += weight;
  }
  void Add(const Codes& other) {
    for (size_t i = 0; i < kSteps; ++i) weights_[i] += other.weights_[i];
    all_ += other.all_;
  }

  // The mean of the codes to a power, without what noise of that deviation
  // adds.
  double Mean(double power, double noise) const {
    const double bend = power * (power - 1) / 2 * noise * noise;
    double sum = 0;
    for (size_t i = 0; i < kSteps; ++i) {
      if (weights_[i] == 0) continue;
      const double code = static_cast<double>(i) / (kSteps - 1);
      const double near = std::max({code, 3 * noise, 1.0 / kSteps});
      sum += weights_[i] *
             (std::pow(code, power) - bend * std::pow(near, power - 2));
    }
    return sum / all_;
  }

  double Deviation() const {
    const double mean = Mean(1, 0);
    return std::sqrt(std::max(0.0, Mean(2, 0) - mean * mean));
  }

 private:
  static constexpr size_t kSteps = 2048;
  std::array<float, kSteps> weights_{};
  double all_ = 0;
};

// The code of paper, which differs over a scan: a quadratic of place.
class Paper {
 public:
  void Add(SheetPoint at, double code) {
    const Terms terms = TermsAt(at);
    for (size_t i = 0; i < kTerms; ++i) {
      for (size_t j = 0; j < kTerms; ++j) rows_[i][j] += terms[i] * terms[j];
      rows_[i][kTerms] += terms[i] * code;
    }
  }
  void Fit() { SolveEquations(rows_); }
  double At(SheetPoint at) const {
    const Terms terms = TermsAt(at);
    double code = 0;
    for (size_t i = 0; i < kTerms; ++i) code += rows_[i][kTerms] * terms[i];
    return code;
  }

 private:
  static constexpr size_t kTerms = 6;
  using Terms = std::array<double, kTerms>;
  static Terms TermsAt(SheetPoint at) {
    const double x = 2 * at.x / Sheet::kWidth - 1;
    const double y = 2 * at.y / Sheet::kHeight - 1;
    return {1, x, y, x * x, x * y, y * y};
  }
  std::vector<std::vector<double>> rows_{kTerms,
                                         std::vector<double>(kTerms + 1)};
};

SheetPoint MiddleOf(const SheetPatch& patch) {
  return {Sheet::kFirst + (patch.column + 0.5) * Sheet::kCell,
          Sheet::kFirst + (patch.row + 0.5) * Sheet::kCell};
}

// Falls to nothing at the rim, so that it is all the same where the lines of a
// ruling begin.
double WeightAt(double distance) {
  if (std::abs(distance) >= kLooked / 2) return 0;
  return 1 + std::cos(2 * std::numbers::pi * distance / kLooked);
}

class PatchReader {
 public:
  PatchReader(const GrayPicture& scan, const FoundSheet& found)
      : scan_(scan), found_(found) {}

  Result<SheetReading> Read() {
    HALFTONED_TRY(FindPaper());
    for (const SheetPatch& patch : Sheet::Patches()) Collect(patch);
    noise_ = blank_.Deviation();
    HALFTONED_TRY_ASSIGN(const double gamma, Gamma());
    SheetReading reading{gamma, {}};
    for (const auto& [tone, places] : tones_) {
      double sum = 0, least = 2, most = -1;
      for (const Codes& place : places) {
        const double light = Light(place, gamma);
        sum += light;
        least = std::min(least, light);
        most = std::max(most, light);
      }
      if (most - least > kMostSpread) {
        return BadInput("patches of the same gray (" + std::to_string(tone) +
                        ") differ: print and scan the sheet again, flat and "
                        "without a wrinkle");
      }
      reading.tones.push_back(
          {tone, sum / static_cast<double>(places.size()), most - least});
    }
    return reading;
  }

 private:
  // Calls `pixel(code, weight, at)` for the pixels of a patch.
  void ForPixels(const SheetPatch& patch, const auto& pixel) const {
    const SheetPoint middle = MiddleOf(patch);
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    for (const double dx : {-kLooked / 2, kLooked / 2}) {
      for (const double dy : {-kLooked / 2, kLooked / 2}) {
        const SheetPoint at = found_.to_scan({middle.x + dx, middle.y + dy});
        left = std::min(left, at.x);
        right = std::max(right, at.x);
        top = std::min(top, at.y);
        bottom = std::max(bottom, at.y);
      }
    }
    const int end_x = std::min(static_cast<int>(right) + 1, scan_.width);
    const int end_y = std::min(static_cast<int>(bottom) + 1, scan_.height);
    for (int y = std::max(static_cast<int>(top), 0); y < end_y; ++y) {
      for (int x = std::max(static_cast<int>(left), 0); x < end_x; ++x) {
        const SheetPoint at = found_.to_sheet({x + 0.5, y + 0.5});
        const double weight =
            WeightAt(at.x - middle.x) * WeightAt(at.y - middle.y);
        if (weight > 0) pixel(scan_.At(x, y), weight, at);
      }
    }
  }

  Result<void> FindPaper() {
    double clipped = 0, all = 0;
    for (const SheetPatch& patch : Sheet::Patches()) {
      if (patch.kind != Kind::kBlank) continue;
      double sum = 0, weights = 0;
      ForPixels(patch, [&](int code, double weight, SheetPoint) {
        sum += weight * code;
        weights += weight;
        if (code >= kClipped) clipped += weight;
      });
      paper_.Add(MiddleOf(patch), sum / weights / 255);
      all += weights;
    }
    if (clipped > all / 4) {
      return BadInput(
          "the scan is clipped: paper is as light as a scan can be; scan "
          "darker, or without correction of brightness");
    }
    paper_.Fit();
    return {};
  }

  void Collect(const SheetPatch& patch) {
    Codes codes;
    ForPixels(patch, [&](int code, double weight, SheetPoint at) {
      codes.Add(kPaper * code / 255 / paper_.At(at), weight);
    });
    if (patch.kind == Kind::kBlank) blank_.Add(codes);
    if (patch.kind == Kind::kSolid) solid_.Add(codes);
    if (patch.kind == Kind::kFine) fine_.Add(codes);
    if (patch.kind == Kind::kCoarse) coarse_.Add(codes);
    if (patch.kind == Kind::kTone) tones_[patch.tone].push_back(codes);
  }

  double Light(const Codes& codes, double gamma) const {
    const double black = solid_.Mean(gamma, noise_);
    return (codes.Mean(gamma, noise_) - black) /
           (std::pow(kPaper, gamma) - black);
  }

  // What a fine ruling loses too much.
  double Miss(double gamma) const {
    return 0.5 - Light(fine_, gamma) -
           Sheet::kCoarser * (0.5 - Light(coarse_, gamma));
  }

  Result<double> Gamma() const {
    double low = kLeastGamma, high = kMostGamma;
    const bool is_rising = Miss(high) > 0;
    if ((Miss(low) > 0) == is_rising) {
      return BadInput(
          "the rulings of the sheet cannot be read: scan in gray, in 300 dots "
          "an inch, without sharpening");
    }
    for (int i = 0; i < 30; ++i) {
      const double middle = (low + high) / 2;
      ((Miss(middle) > 0) == is_rising ? high : low) = middle;
    }
    constexpr double kAside = 0.1;
    const double slope = (Miss(low + kAside) - Miss(low - kAside)) / 2 / kAside;
    if (std::abs(slope) < kLeastSlope) {
      return BadInput(
          "the scan is so sharp that its gamma cannot be told: scan in fewer "
          "dots an inch, such as 200");
    }
    return (low + high) / 2;
  }

  static constexpr double kPaper = 0.9;  // its code when evened out

  const GrayPicture& scan_;
  const FoundSheet& found_;
  Paper paper_;
  double noise_ = 0;  // of codes
  Codes blank_;
  Codes solid_;
  Codes fine_;
  Codes coarse_;
  std::map<int, std::vector<Codes>> tones_;
};

// The least change that makes readings rise: neighbours that fall become their
// mean.
std::vector<double> Rising(const std::vector<ToneReading>& tones) {
  struct Run {
    double sum;
    int count;
  };
  std::vector<Run> runs;
  for (const ToneReading& tone : tones) {
    runs.push_back({tone.light, 1});
    while (runs.size() > 1) {
      const Run last = runs.back();
      Run& before = runs[runs.size() - 2];
      if (before.sum / before.count <= last.sum / last.count) break;
      before = {before.sum + last.sum, before.count + last.count};
      runs.pop_back();
    }
  }
  std::vector<double> lights;
  for (const Run& run : runs) {
    lights.insert(lights.end(), static_cast<size_t>(run.count),
                  run.sum / run.count);
  }
  return lights;
}

}  // namespace

Result<SheetReading> ReadSheet(const GrayPicture& scan) {
  HALFTONED_TRY_ASSIGN(const FoundSheet found, FindSheet(scan));
  return PatchReader(scan, found).Read();
}

std::string CurveTextOf(const SheetReading& reading) {
  constexpr double kLeastStep = 0.05;  // between inputs, of 255
  const std::vector<double> lights = Rising(reading.tones);
  std::string text = "0 0\n";
  double last = 0;
  for (size_t i = 0; i < lights.size(); ++i) {
    const double input = 255 * lights[i];
    if (input < last + kLeastStep || input > 255 - kLeastStep) continue;
    last = input;
    char number[32];
    const auto [end, error] = std::to_chars(number, number + sizeof(number),
                                            input, std::chars_format::fixed, 2);
    text.append(number, end);
    text.append(1, ' ')
        .append(std::to_string(reading.tones[i].tone))
        .append(1, '\n');
  }
  return text + "255 255\n";
}

}  // namespace halftoned
