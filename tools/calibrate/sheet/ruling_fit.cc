// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/ruling_fit.h"

#include <algorithm>
#include <cmath>

namespace halftoned {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

// The errors of light that the model leaves in lasers and scanners.
constexpr double kErrorOfMean = 0.002;
constexpr double kErrorOfDeviation = 0.004;
constexpr double kErrorOfContrast = 0.02;  // as a fraction of the deviation

constexpr double kUsualFlare = 0.02;
constexpr double kUsualScatter = 40;  // micrometers
// The light of solid ink. A scanner may add stray light.
constexpr double kLeastInkLight = 0.005;
constexpr double kMostInkLight = 0.12;

constexpr size_t kPriors = 7;

bool IsOf(const SheetPatch& patch, const Ruling& ruling, bool is_lying) {
  return patch.kind == Kind::kRuling && patch.ruling.black == ruling.black &&
         patch.ruling.white == ruling.white && patch.is_lying == is_lying;
}

}  // namespace

bool RulingFit::Run() {
  bool is_fitted = false;
  Numbers best{};
  double least = 0;
  for (const double power : {1.0, 2.2}) {
    for (const double scatter : {-0.4, 0.4}) {
      numbers_ = {power, 0, 0.1, 0.1, 0, 0, kUsualFlare, scatter};
      if (!Approach()) continue;
      const double cost = Cost(numbers_);
      if (is_fitted && cost >= least) continue;
      is_fitted = true;
      best = numbers_;
      least = cost;
    }
  }
  numbers_ = best;
  if (is_fitted) SetSlopes(Residuals(numbers_));
  return is_fitted;
}

double RulingFit::scatter() const {
  return kUsualScatter * std::exp(numbers_[kScatter]);
}

double RulingFit::Misfit() const {
  const std::vector<double> residuals = Residuals(numbers_);
  double most = 0;
  for (size_t i = 0; i + kPriors < residuals.size(); i += 2) {
    most = std::max(most, std::abs(residuals[i]) * kErrorOfMean);
  }
  return most;
}

std::vector<double> RulingFit::Deviations() const {
  constexpr double kAside = 1e-3;
  const PatchLight light = LightOf(patches_, tone());
  std::vector<Numbers> slopes(patches_.size());
  for (const size_t k : {kPower, kBend}) {
    Numbers aside = numbers_;
    aside[k] += kAside;
    const PatchLight there = LightOf(patches_, ToneOf(aside));
    for (size_t i = 0; i < slopes.size(); ++i) {
      slopes[i][k] = (there.mean[i] - light.mean[i]) / kAside;
    }
  }
  // Noise and the unexplained part add to the error of rulings.
  const double more = std::hypot(1, std::max(Unlikeness(), Unexplained()));
  std::vector<double> deviations;
  for (const Numbers& of_patch : slopes) {
    const Numbers solved = Solve(of_patch, 0);
    double sum = 0;
    for (size_t k = 0; k < kNumbers; ++k) sum += of_patch[k] * solved[k];
    deviations.push_back(more * std::sqrt(std::max(sum, 0.0)));
  }
  return deviations;
}

RulingLight RulingFit::Expected(const Ruling& ruling, bool is_lying,
                                const Numbers& numbers, double black) const {
  const double blur =
      scale_.pixel * std::exp(numbers[is_lying ? kBlurLying : kBlur]);
  return LightOfRuling(
      ruling,
      {is_lying ? scale_.size.unit_down : scale_.size.unit_across,
       numbers[is_lying ? kWiderLying : kWider],
       kUsualScatter * std::exp(numbers[kScatter]),
       std::clamp(black, kLeastInkLight, kMostInkLight)},
      {scale_.pixel, blur, numbers[kFlareShare]});
}

RulingFit::Seen RulingFit::SeenOf(const Ruling& ruling, bool is_lying,
                                  const PatchLight& light) const {
  Seen seen;
  int count = 0;
  for (size_t i = 0; i < patches_.size(); ++i) {
    if (!IsOf(patches_[i].patch, ruling, is_lying)) continue;
    seen.light.mean += light.mean[i];
    seen.light.deviation += light.deviation[i];
    seen.error.mean += light.deviation[i] * patches_[i].uneven;
    seen.error.deviation += light.deviation[i] * patches_[i].uneven_halves / 2;
    ++count;
  }
  for (RulingLight* of : {&seen.light, &seen.error}) {
    of->mean /= count;
    of->deviation /= count;
  }
  return seen;
}

// The residuals of mean and deviation for each ruling, divided by their errors.
// The last residuals are priors about scanners and papers.
std::vector<double> RulingFit::Residuals(const Numbers& numbers) const {
  const PatchLight light = LightOf(patches_, ToneOf(numbers));
  std::vector<double> residuals;
  for (const Ruling& ruling : Sheet::kRulings) {
    for (const bool is_lying : {false, true}) {
      const Seen seen = SeenOf(ruling, is_lying, light);
      const RulingLight expected =
          Expected(ruling, is_lying, numbers, light.black);
      residuals.push_back((seen.light.mean - expected.mean) /
                          (kErrorOfMean + seen.error.mean));
      residuals.push_back((seen.light.deviation - expected.deviation) /
                          (kErrorOfDeviation +
                           kErrorOfContrast * expected.deviation +
                           seen.error.deviation));
    }
  }
  residuals.push_back((numbers[kPower] - 2.0) / 1.0);
  residuals.push_back(numbers[kBend] / 0.2);
  residuals.push_back(numbers[kBlur] / 0.7);
  residuals.push_back(numbers[kBlurLying] / 0.7);
  residuals.push_back((numbers[kBlur] - numbers[kBlurLying]) / 0.2);
  residuals.push_back((numbers[kFlareShare] - kUsualFlare) / 0.03);
  residuals.push_back(numbers[kScatter] / 0.5);
  return residuals;
}

double RulingFit::Cost(const Numbers& numbers) const {
  double sum = 0;
  for (const double residual : Residuals(numbers)) sum += residual * residual;
  return sum;
}

void RulingFit::SetSlopes(const std::vector<double>& residuals) {
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

RulingFit::Numbers RulingFit::Solve(const Numbers& right,
                                    double damping) const {
  Rows rows(kNumbers, std::vector<double>(kNumbers + 1));
  for (size_t k = 0; k < kNumbers; ++k) {
    for (size_t j = 0; j < kNumbers; ++j) {
      for (const Numbers& slopes : slopes_) {
        rows[k][j] += slopes[k] * slopes[j];
      }
    }
    rows[k][k] *= 1 + damping;
    rows[k][kNumbers] = right[k];
  }
  SolveEquations(rows);
  Numbers solved;
  for (size_t k = 0; k < kNumbers; ++k) solved[k] = rows[k][kNumbers];
  return solved;
}

// Levenberg and Marquardt's steps.
bool RulingFit::Approach() {
  constexpr int kMostSteps = 60;
  constexpr double kMostDamping = 1e6;
  constexpr double kEnough = 1e-3;  // as a fraction of the cost
  double damping = 0.1;
  double cost = Cost(numbers_);
  for (int step = 0; step < kMostSteps; ++step) {
    const std::vector<double> residuals = Residuals(numbers_);
    SetSlopes(residuals);
    Numbers gradient{};
    for (size_t i = 0; i < residuals.size(); ++i) {
      for (size_t k = 0; k < kNumbers; ++k) {
        gradient[k] -= slopes_[i][k] * residuals[i];
      }
    }
    double there = cost;
    for (; damping < kMostDamping; damping *= 4) {
      const Numbers change = Solve(gradient, damping);
      Numbers next = numbers_;
      for (size_t k = 0; k < kNumbers; ++k) {
        next[k] += std::clamp(change[k], -0.5, 0.5);
      }
      if (!(next[kPower] > 0.5 && next[kPower] < 5)) continue;
      there = Cost(next);
      if (!(there < cost)) continue;
      numbers_ = next;
      break;
    }
    if (!(cost - there > kEnough)) return std::isfinite(cost);
    cost = there;
    damping /= 8;
  }
  return true;
}

// The root mean square of the rulings' residuals.
double RulingFit::Unexplained() const {
  const std::vector<double> residuals = Residuals(numbers_);
  double sum = 0;
  for (size_t i = 0; i + kPriors < residuals.size(); ++i) {
    sum += residuals[i] * residuals[i];
  }
  return std::sqrt(sum / static_cast<double>(residuals.size() - kPriors));
}

// The distance of the two patches of each ruling from their mean, divided by
// the error of means.
double RulingFit::Unlikeness() const {
  const PatchLight light = LightOf(patches_, tone());
  double sum = 0;
  int count = 0;
  for (size_t i = 0; i < patches_.size(); ++i) {
    const SheetPatch& patch = patches_[i].patch;
    for (size_t k = 0; k < i; ++k) {
      if (!IsOf(patches_[k].patch, patch.ruling, patch.is_lying)) continue;
      const double off = (light.mean[i] - light.mean[k]) / 2 / kErrorOfMean;
      sum += off * off;
      ++count;
    }
  }
  return std::sqrt(sum / count);
}

}  // namespace halftoned
