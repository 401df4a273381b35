// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/scanner_tone.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace halftoned {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

constexpr double kRulingError = 0.0012;  // of light, at least: lasers' rulings
                                         // lose nearly the same at each edge
constexpr double kMostMisfit = 0.015;
// Of tones. Simulated scans are read wrong by more than 2 levels in the mean,
// or 5 at worst, with some twice as much.
constexpr double kMostMeanDeviation = 0.0038;
constexpr double kMostDeviation = 0.0068;

// The code of paper, or the light of it, differs over a scan: a quadratic of
// place.
class Paper {
 public:
  void Add(SheetPoint at, double value) {
    const Terms terms = TermsAt(at);
    for (size_t i = 0; i < kTerms; ++i) {
      for (size_t j = 0; j < kTerms; ++j) rows_[i][j] += terms[i] * terms[j];
      rows_[i][kTerms] += terms[i] * value;
    }
  }
  void Fit() { SolveEquations(rows_); }
  double At(SheetPoint at) const {
    const Terms terms = TermsAt(at);
    double value = 0;
    for (size_t i = 0; i < kTerms; ++i) value += rows_[i][kTerms] * terms[i];
    return value;
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

double CodeOfPaper(const std::vector<PatchCodes>& patches) {
  double sum = 0;
  int count = 0;
  for (const PatchCodes& codes : patches) {
    if (codes.patch.kind != Kind::kBlank) continue;
    sum += codes.MeanCode();
    ++count;
  }
  return sum / count;
}

OfCodes LightOfCodes(const ScannerTone& tone,
                     const std::vector<PatchCodes>& patches) {
  const double paper = CodeOfPaper(patches);
  OfCodes light;
  for (size_t i = 0; i < light.size(); ++i) {
    const double code = std::max(patches.front().Uncut(i), 0.5) / paper;
    // Beyond paper the exponent stays, so that light rises with the code.
    const double bend = tone.bend * (1 - 2 * std::min(code, 1.0));
    light[i] = std::pow(code, tone.power + bend);
  }
  return light;
}

// What is fitted: the tone, and what each line of a ruling loses, in units of
// rulings; lines that stand and lines that lie are printed differently.
constexpr size_t kNumbers = 4;
using Numbers = std::array<double, kNumbers>;

ScannerTone ToneOf(const Numbers& numbers) { return {numbers[0], numbers[1]}; }

// Whether both are the same ruling.
bool IsAlike(const SheetPatch& a, const SheetPatch& b) {
  return a.kind == Kind::kRuling && b.kind == Kind::kRuling &&
         a.ruling.black == b.ruling.black && a.ruling.white == b.ruling.white &&
         a.is_lying == b.is_lying;
}

class Fit {
 public:
  explicit Fit(const std::vector<PatchCodes>& patches) : patches_(patches) {}

  // Gauss and Newton's steps.
  bool Run() {
    constexpr int kMostSteps = 40;
    constexpr double kLongest = 0.3;
    constexpr double kEnough = 1e-5;
    for (int step = 0; step < kMostSteps; ++step) {
      const std::vector<double> residuals = Residuals(numbers_);
      SetSlopes(residuals);
      Numbers gradient{};
      for (size_t i = 0; i < residuals.size(); ++i) {
        for (size_t k = 0; k < kNumbers; ++k) {
          gradient[k] -= slopes_[i][k] * residuals[i];
        }
      }
      const Numbers change = Solve(gradient);
      double most = 0;
      for (size_t k = 0; k < kNumbers; ++k) {
        numbers_[k] += std::clamp(change[k], -kLongest, kLongest);
        most = std::max(most, std::abs(change[k]));
      }
      if (!(numbers_[0] > 0.5 && numbers_[0] < 5)) return false;
      if (most < kEnough) return true;
    }
    return false;
  }

  const Numbers& numbers() const { return numbers_; }

  // The largest difference of a ruling from what it should be, of light.
  double Misfit() const {
    const std::vector<double> residuals = Residuals(numbers_);
    double most = 0;
    for (size_t i = 0; i + kPriors < residuals.size(); ++i) {
      most = std::max(most, std::abs(residuals[i]) * kRulingError);
    }
    return most;
  }

  // The deviation of what has these slopes of the numbers.
  double DeviationOf(const Numbers& slopes) const {
    const Numbers solved = Solve(slopes);
    double sum = 0;
    for (size_t k = 0; k < kNumbers; ++k) sum += slopes[k] * solved[k];
    return std::sqrt(std::max(sum, 0.0));
  }

  // What the fit leaves of the rulings, in their error.
  double Unexplained() const {
    const std::vector<double> residuals = Residuals(numbers_);
    double sum = 0;
    for (size_t i = 0; i + kPriors < residuals.size(); ++i) {
      sum += residuals[i] * residuals[i];
    }
    return std::sqrt(sum / double(residuals.size() - kPriors - kNumbers));
  }

  // How far the two patches of each ruling are from their mean, in the rulings'
  // error.
  double Scatter() const {
    const std::vector<double> light = LightOf(patches_, ToneOf(numbers_));
    double sum = 0;
    int count = 0;
    for (size_t i = 0; i < light.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        if (!IsAlike(patches_[i].patch, patches_[k].patch)) continue;
        const double off = (light[i] - light[k]) / 2 / kRulingError;
        sum += off * off;
        ++count;
      }
    }
    return std::sqrt(sum / count);
  }

 private:
  static constexpr size_t kPriors = 2;

  // In the rulings' error; the last are what scanners mostly are like.
  std::vector<double> Residuals(const Numbers& numbers) const {
    const std::vector<double> light = LightOf(patches_, ToneOf(numbers));
    std::vector<double> residuals;
    for (const Ruling& ruling : Sheet::kRulings) {
      for (const bool is_lying : {false, true}) {
        const SheetPatch meant = {Kind::kRuling, 0, 0, 0, ruling, is_lying};
        double sum = 0;
        int count = 0;
        for (size_t i = 0; i < patches_.size(); ++i) {
          if (!IsAlike(patches_[i].patch, meant)) continue;
          sum += light[i];
          ++count;
        }
        const double loss = numbers[is_lying ? 3 : 2];
        const double expected = (ruling.white - loss) / ruling.period();
        residuals.push_back((sum / count - expected) / kRulingError);
      }
    }
    residuals.push_back((numbers[0] - 2.2) / 1.0);
    residuals.push_back((numbers[1] + 0.1) / 0.3);
    return residuals;
  }

  void SetSlopes(const std::vector<double>& residuals) {
    constexpr double kAside = 1e-3;
    slopes_.assign(residuals.size(), {});
    for (size_t k = 0; k < kNumbers; ++k) {
      Numbers aside = numbers_;
      aside[k] += kAside;
      const std::vector<double> there = Residuals(aside);
      for (size_t i = 0; i < residuals.size(); ++i) {
        slopes_[i][k] = (there[i] - residuals[i]) / kAside;
      }
    }
  }

  // The normal equations, for that right side.
  Numbers Solve(const Numbers& right) const {
    std::vector<std::vector<double>> rows(kNumbers,
                                          std::vector<double>(kNumbers + 1));
    for (size_t k = 0; k < kNumbers; ++k) {
      for (size_t j = 0; j < kNumbers; ++j) {
        for (const Numbers& slopes : slopes_) {
          rows[k][j] += slopes[k] * slopes[j];
        }
      }
      rows[k][kNumbers] = right[k];
    }
    SolveEquations(rows);
    Numbers solved;
    for (size_t k = 0; k < kNumbers; ++k) solved[k] = rows[k][kNumbers];
    return solved;
  }

  const std::vector<PatchCodes>& patches_;
  Numbers numbers_ = {2.2, -0.1, 0.4, 0.4};
  std::vector<Numbers> slopes_;
};

std::vector<double> DeviationsOf(const std::vector<PatchCodes>& patches,
                                 const Fit& fit) {
  constexpr double kAside = 1e-3;
  const std::vector<double> light = LightOf(patches, ToneOf(fit.numbers()));
  std::vector<Numbers> slopes(light.size());
  for (const size_t k : {0, 1}) {
    Numbers aside = fit.numbers();
    aside[k] += kAside;
    const std::vector<double> there = LightOf(patches, ToneOf(aside));
    for (size_t i = 0; i < light.size(); ++i) {
      slopes[i][k] = (there[i] - light[i]) / kAside;
    }
  }
  // Noise adds to the rulings' own error, and so does what no tone explains.
  const double more = std::hypot(1, std::max(fit.Scatter(), fit.Unexplained()));
  std::vector<double> deviations;
  for (const Numbers& of_patch : slopes) {
    deviations.push_back(more * fit.DeviationOf(of_patch));
  }
  return deviations;
}

// Whether the light of tones is known well enough for a curve.
bool IsSure(const std::vector<PatchCodes>& patches,
            const std::vector<double>& deviations) {
  double sum = 0;
  double most = 0;
  int tones = 0;
  for (size_t i = 0; i < patches.size(); ++i) {
    if (patches[i].patch.kind != Kind::kTone) continue;
    sum += deviations[i];
    most = std::max(most, deviations[i]);
    ++tones;
  }
  return sum <= kMostMeanDeviation * tones && most <= kMostDeviation;
}

}  // namespace

std::vector<double> LightOf(const std::vector<PatchCodes>& patches,
                            const ScannerTone& tone) {
  const OfCodes light_of_codes = LightOfCodes(tone, patches);
  std::vector<double> light;
  Paper paper;
  for (const PatchCodes& codes : patches) {
    light.push_back(codes.Mean(light_of_codes));
    if (codes.patch.kind != Kind::kBlank) continue;
    paper.Add(MiddleOf(codes.patch), light.back());
  }
  paper.Fit();
  double black = 0;
  int solids = 0;
  for (size_t i = 0; i < patches.size(); ++i) {
    light[i] /= paper.At(MiddleOf(patches[i].patch));
    if (patches[i].patch.kind != Kind::kSolid) continue;
    black += light[i];
    ++solids;
  }
  black /= solids;
  for (double& of_patch : light) of_patch = (of_patch - black) / (1 - black);
  return light;
}

Result<FittedTone> FitScanner(const std::vector<PatchCodes>& patches) {
  Fit fit(patches);
  if (!fit.Run() || fit.Misfit() > kMostMisfit) {
    return BadInput(
        "the line patterns of the chart are not readable: scan in gray at 150 "
        "or 200 dpi, without sharpening or other corrections");
  }
  FittedTone fitted{ToneOf(fit.numbers()), DeviationsOf(patches, fit)};
  if (!IsSure(patches, fitted.deviations)) {
    return BadInput(
        "the scan is too sharp or too noisy to show how the scanner encodes "
        "gray: scan at 150 dpi");
  }
  return fitted;
}

}  // namespace halftoned
