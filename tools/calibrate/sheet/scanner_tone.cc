// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/scanner_tone.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace halftoned {
namespace {

using Kind = SheetPatch::Kind;

constexpr double kLeastFlare = -0.05;  // a scanner has none or a little
constexpr double kMostMisfit = 0.015;
// The deviations of tones.
constexpr double kMostMeanDeviation = 0.02;
constexpr double kMostDeviation = 0.06;

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

// What a scan of so many dpi is told to have; nothing if it has it.
std::string ResolutionAdvised(double dots_per_inch) {
  constexpr double kMost = 215;
  const bool is_met =
      dots_per_inch >= kLeastDotsPerInch && dots_per_inch <= kMost;
  return is_met ? "" : " at 150 dpi";
}

}  // namespace

Result<FittedTone> FitScanner(const std::vector<PatchCodes>& patches,
                              const SheetScale& scale) {
  const std::string resolution = ResolutionAdvised(scale.dots_per_inch());
  RulingFit fit(patches, scale);
  const bool is_fitted = fit.Run();
  if (is_fitted && fit.flare() < kLeastFlare) {
    return BadInput("the scan is sharpened: scan without sharpening");
  }
  if (!is_fitted || fit.Misfit() > kMostMisfit) {
    return BadInput(
        "the line patterns of the chart are not readable: scan in gray" +
        resolution + ", without sharpening or other corrections");
  }
  FittedTone fitted{fit.tone(), fit.scatter(), fit.Deviations()};
  if (!IsSure(patches, fitted.deviations)) {
    return BadInput(
        "the scan does not show how the scanner encodes gray: it is too sharp "
        "or too noisy; " +
        (resolution.empty()
             ? "choose the scanner's better quality, without sharpening, or "
               "print the chart again"
             : "scan" + resolution));
  }
  return fitted;
}

}  // namespace halftoned
