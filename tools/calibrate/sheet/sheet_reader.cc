// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/sheet_reader.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>

#include "calibrate/sheet/sheet_finder.h"

namespace halftoned {
namespace {

using Sheet = CalibrationSheet;

constexpr double kMostSpread = 0.08;

struct Places {
  void Add(double light, double the_deviation) {
    sum += light;
    least = std::min(least, light);
    most = std::max(most, light);
    deviation = std::max(deviation, the_deviation);
    ++count;
  }

  double sum = 0;
  double least = 2;
  double most = -1;
  double deviation = 0;
  int count = 0;
};

SheetScale ScaleOf(const FoundSheet& found, const SheetSize& size) {
  const SheetPoint from = found.to_scan({Sheet::kWidth / 2, 0});
  const SheetPoint to = found.to_scan({Sheet::kWidth / 2, Sheet::kHeight});
  const double pixels = std::hypot(to.x - from.x, to.y - from.y);
  return {size, 1000 * size.scale * Sheet::kHeight / pixels};
}

// The corners of a small or blurred frame are not found exactly. The checksum
// shows which offset meets the squares.
Result<SheetInfo> ReadInfo(const GrayPicture& scan, const FoundSheet& found) {
  constexpr double kOff = 0.2;  // millimeters
  const Result<SheetInfo> straight = InfoOf(ReadCode(scan, found, {0, 0}));
  if (straight.ok()) return straight;
  for (int x = -2; x <= 2; ++x) {
    for (int y = -2; y <= 2; ++y) {
      const auto info = InfoOf(ReadCode(scan, found, {x * kOff, y * kOff}));
      if (info.ok()) return info;
    }
  }
  return straight;
}

// Combines the patches of each tone.
Result<void> ReadTones(const std::vector<PatchCodes>& patches,
                       const FittedTone& fitted, SheetReading& reading) {
  const std::vector<double> light = LightOf(patches, fitted.tone).mean;
  std::map<int, Places> tones;
  for (size_t i = 0; i < patches.size(); ++i) {
    const SheetPatch& patch = patches[i].patch;
    if (patch.kind != SheetPatch::Kind::kTone) continue;
    tones[patch.tone].Add(light[i], fitted.deviations[i]);
  }
  for (const auto& [tone, places] : tones) {
    const double spread = places.most - places.least;
    if (spread > kMostSpread) {
      return BadInput("patches of the same gray (" + std::to_string(tone) +
                      ") differ: print the chart again, and scan it flat, "
                      "without wrinkles");
    }
    // The noise of two places.
    reading.noise += spread * spread / 2 / static_cast<double>(tones.size());
    reading.tones.push_back(
        {tone, places.sum / places.count, places.deviation});
  }
  reading.noise = std::sqrt(reading.noise);
  return {};
}

}  // namespace

Result<SheetReading> ReadSheet(const GrayPicture& scan) {
  HALFTONED_TRY_ASSIGN(const FoundSheet found, FindSheet(scan));
  const Result<SheetInfo> read = ReadInfo(scan, found);
  const SheetInfo info = read.ok() ? *read : SheetInfo{};
  if (!info.is_of_this_version) {
    return BadInput(
        "the calibration chart was printed by another version of halftone: "
        "print it again");
  }
  const SheetScale scale = ScaleOf(found, info.size);
  // If the code is unreadable, the patches usually show the cause.
  HALFTONED_TRY_ASSIGN(const auto patches, CodesOf(scan, found, scale));
  if (!read.ok()) {
    const bool is_coarse = scale.dots_per_inch() < kLeastDotsPerInch;
    return BadInput(read.error().message +
                    (is_coarse ? ", at 150 dpi or more" : ""));
  }
  HALFTONED_TRY_ASSIGN(const FittedTone fitted, FitScanner(patches, scale));
  SheetReading reading{info, fitted.tone, {}, fitted.scatter};
  HALFTONED_TRY(ReadTones(patches, fitted, reading));
  return reading;
}

namespace {

using Kind = SheetPatch::Kind;

constexpr double kLeastFlare = -0.05;  // scanners have little or no sharpening
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

// Advice about the resolution of a scan; empty if the scan has it.
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
             ? "choose a higher scan quality, without sharpening, or "
               "print the chart again"
             : "scan" + resolution));
  }
  return fitted;
}

}  // namespace halftoned
