// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/patch_light.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace halftoned {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

// The light of paper varies over a scan. The model is a quadratic function of
// the position.
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

OfCodes LightOfCodes(const ScannerTone& tone,
                     const std::vector<PatchCodes>& patches) {
  const double paper =
      MeanOfKind(patches, Kind::kBlank,
                 [](const PatchCodes& codes) { return codes.MeanCode(); });
  OfCodes light;
  for (size_t i = 0; i < light.size(); ++i) {
    const double code = std::max(patches.front().Uncut(i), 0.5) / paper;
    // For codes above paper's, the exponent is constant, so that light rises
    // with the code.
    const double bend = tone.bend * (1 - 2 * std::min(code, 1.0));
    light[i] = std::pow(code, tone.power + bend);
  }
  return light;
}

// The variance of light due to noise, whose deviation in codes is the same
// everywhere.
OfCodes NoiseOfCodes(const OfCodes& light,
                     const std::vector<PatchCodes>& patches) {
  const auto variance = [](const PatchCodes& codes) {
    return codes.Deviation() * codes.Deviation();
  };
  const double of_codes = (MeanOfKind(patches, Kind::kBlank, variance) +
                           MeanOfKind(patches, Kind::kSolid, variance)) /
                          2;
  OfCodes noise{};
  for (size_t i = 1; i + 1 < light.size(); ++i) {
    const double slope = (light[i + 1] - light[i - 1]) / 2;
    noise[i] = slope * slope * of_codes;
  }
  noise.front() = noise[1];
  noise.back() = noise[light.size() - 2];
  return noise;
}

}  // namespace

PatchLight LightOf(const std::vector<PatchCodes>& patches,
                   const ScannerTone& tone) {
  const OfCodes light = LightOfCodes(tone, patches);
  OfCodes square = NoiseOfCodes(light, patches);
  for (size_t i = 0; i < light.size(); ++i) {
    square[i] = light[i] * light[i] - square[i];
  }
  PatchLight all{{}, {}, 0};
  Paper paper;
  for (const PatchCodes& codes : patches) {
    const double mean = codes.Mean(light);
    all.mean.push_back(mean);
    all.deviation.push_back(
        std::sqrt(std::max(codes.Mean(square) - mean * mean, 0.0)));
    if (codes.patch.kind == Kind::kBlank)
      paper.Add(MiddleOf(codes.patch), mean);
  }
  paper.Fit();
  int solids = 0;
  for (size_t i = 0; i < patches.size(); ++i) {
    const double here = paper.At(MiddleOf(patches[i].patch));
    all.mean[i] /= here;
    all.deviation[i] /= here;
    if (patches[i].patch.kind != Kind::kSolid) continue;
    all.black += all.mean[i];
    ++solids;
  }
  all.black /= solids;
  for (double& mean : all.mean) mean = (mean - all.black) / (1 - all.black);
  for (double& deviation : all.deviation) deviation /= 1 - all.black;
  return all;
}

}  // namespace halftoned
