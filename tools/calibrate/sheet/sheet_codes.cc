// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/sheet_codes.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include "calibrate/sheet/normal.h"

namespace halftoned {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

// The part of a patch's side that is used, in millimeters.
constexpr double kLooked = 6.2;
// The distance over which weights fall, in millimeters.
constexpr double kFall = 0.6;
constexpr int kWhitest = 254;
constexpr int kBlackest = 1;
// The clipped share of a blank patch. The median is not clipped.
constexpr double kMostWhite = 0.25;
constexpr double kMostBlack = 0.25;   // the clipped share of a solid patch
constexpr double kMostNoise = 0.1;    // deviation, of black to white
constexpr double kMostUneven = 0.05;  // deviation, of black to white

// The weights of positions along one side of a patch. They fall toward the
// edges.
struct Side {
  double At(double distance) const {
    const double inside = half - std::abs(distance);
    if (inside <= 0) return 0;
    if (inside >= fall) return 1;
    return (1 - std::cos(std::numbers::pi * inside / fall)) / 2;
  }

  double half = kLooked / 2;
  double fall = kFall;
};

// A side of whole periods of a ruling, so that the phase of its lines does not
// matter.
Side AcrossLines(double period) {
  const double half = std::max(2.0, std::floor(kLooked / period)) * period / 2;
  return {half, half};
}

// A rectangle of a scan's pixels, without `right` and `bottom`.
struct Pixels {
  int left, top, right, bottom;
};

Pixels PixelsOf(const GrayPicture& scan, const FoundSheet& found,
                const SheetPatch& patch) {
  const SheetPoint middle = MiddleOf(patch);
  double left = scan.width, right = 0, top = scan.height, bottom = 0;
  for (const double dx : {-kLooked / 2, kLooked / 2}) {
    for (const double dy : {-kLooked / 2, kLooked / 2}) {
      const SheetPoint at = found.to_scan({middle.x + dx, middle.y + dy});
      left = std::min(left, at.x);
      right = std::max(right, at.x);
      top = std::min(top, at.y);
      bottom = std::max(bottom, at.y);
    }
  }
  return {std::max(static_cast<int>(left), 0),
          std::max(static_cast<int>(top), 0),
          std::min(static_cast<int>(right) + 1, scan.width),
          std::min(static_cast<int>(bottom) + 1, scan.height)};
}

PatchCodes CodesOf(const GrayPicture& scan, const FoundSheet& found,
                   const SheetPatch& patch, const SheetSize& size) {
  const bool is_ruled = patch.kind == Kind::kRuling;
  const double unit = patch.is_lying ? size.unit_down : size.unit_across;
  const double period =
      is_ruled ? patch.ruling.period() * unit / 1000 / size.scale : 1;
  const Side lines = is_ruled ? AcrossLines(period) : Side{};
  const Side across = patch.is_lying ? Side{} : lines;
  const Side down = patch.is_lying ? lines : Side{};
  const SheetPoint middle = MiddleOf(patch);
  const Pixels pixels = PixelsOf(scan, found, patch);
  PatchCodes codes{patch};
  double all = 0;
  std::complex<double> wave, half_wave;
  for (int y = pixels.top; y < pixels.bottom; ++y) {
    for (int x = pixels.left; x < pixels.right; ++x) {
      const SheetPoint at = found.to_sheet({x + 0.5, y + 0.5});
      const double weight =
          across.At(at.x - middle.x) * down.At(at.y - middle.y);
      codes.share[scan.At(x, y)] += weight;
      all += weight;
      if (!is_ruled) continue;
      const auto turn = std::polar(
          1.0, 2 * std::numbers::pi / period * (patch.is_lying ? at.y : at.x));
      wave += weight * turn;
      half_wave += weight * turn * turn;
    }
  }
  if (!(all > 0)) return codes;
  for (double& share : codes.share) share /= all;
  codes.uneven = std::abs(wave) / all;
  codes.uneven_halves = std::abs(half_wave) / all;
  return codes;
}

Result<void> CheckClipping(const std::vector<PatchCodes>& all) {
  for (const PatchCodes& codes : all) {
    if (codes.patch.kind == Kind::kBlank &&
        codes.Share(kWhitest, 255) > kMostWhite) {
      return BadInput(
          "the scan is clipped: paper has the lightest value; scan darker, or "
          "without brightness correction");
    }
    if (codes.patch.kind == Kind::kSolid &&
        codes.Share(0, kBlackest) > kMostBlack) {
      return BadInput(
          "the scan is clipped: black has the darkest value; scan lighter, or "
          "without contrast correction");
    }
  }
  return {};
}

// The quantile of a patch's codes. A code stands for the interval of half a
// code around it.
double Quantile(const PatchCodes& codes, double share) {
  double below = 0;
  for (size_t i = 0; i < codes.share.size(); ++i) {
    const double here = codes.share[i];
    if (below + here >= share && here > 0) {
      return static_cast<double>(i) - 0.5 + (share - below) / here;
    }
    below += here;
  }
  return 255;
}

// The mean beyond the lightest codes, for the normal distribution that the
// darker half of this patch fits.
double MeanBeyond(const PatchCodes& codes) {
  constexpr double kOneDeviationBelow = 0.1587;
  constexpr double kCut = kWhitest - 0.5;
  const double median = Quantile(codes, 0.5);
  const double deviation = median - Quantile(codes, kOneDeviationBelow);
  if (!(deviation > 0)) return 255;
  const double z = (kCut - median) / deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  const double part = NormalBelow(-z);
  // Far out there are only outliers.
  return part < 1e-3 ? 255 : median + deviation * density / part;
}

// The mean of all blank patches, weighted by their clipped shares.
double MeanBeyond(const std::vector<PatchCodes>& all) {
  double sum = 0;
  double clipped = 0;
  for (const PatchCodes& codes : all) {
    if (codes.patch.kind != Kind::kBlank) continue;
    const double share = codes.Share(kWhitest, 255);
    sum += share * MeanBeyond(codes);
    clipped += share;
  }
  return clipped > 0 ? sum / clipped : 255;
}

// In a blurred scan, the surroundings brighten solid patches.
Result<void> CheckNoiseAndBlur(const std::vector<PatchCodes>& all,
                               double dots_per_inch) {
  const auto mean_code = [](const PatchCodes& codes) {
    return codes.MeanCode();
  };
  const auto deviation = [](const PatchCodes& codes) {
    return codes.Deviation();
  };
  const double noise = MeanOfKind(all, Kind::kBlank, deviation);
  const double uneven = MeanOfKind(all, Kind::kSolid, deviation);
  const double range = MeanOfKind(all, Kind::kBlank, mean_code) -
                       MeanOfKind(all, Kind::kSolid, mean_code);
  if (noise > kMostNoise * range) {
    return BadInput(
        "the scan is too noisy: print the chart on plain white paper, and "
        "choose a higher scan quality");
  }
  if (uneven < noise + kMostUneven * range) return {};
  return BadInput(
      std::string("the scan is blurred: clean the glass, and lay the chart "
                  "flat") +
      (dots_per_inch < kLeastDotsPerInch ? "; scan at 150 dpi or more" : ""));
}

}  // namespace

double PatchCodes::Mean(const OfCodes& of_codes) const {
  double sum = 0;
  for (size_t i = 0; i < share.size(); ++i) sum += share[i] * of_codes[i];
  return sum;
}

double PatchCodes::MeanCode() const {
  double sum = 0;
  for (size_t i = 0; i < share.size(); ++i) {
    sum += share[i] * Uncut(i);
  }
  return sum;
}

double PatchCodes::Deviation() const {
  const double mean = MeanCode();
  double sum = 0;
  for (size_t i = 0; i < share.size(); ++i) {
    const double off = Uncut(i) - mean;
    sum += share[i] * off * off;
  }
  return std::sqrt(sum);
}

double PatchCodes::Share(int first, int last) const {
  double sum = 0;
  for (int i = first; i <= last; ++i) sum += share[static_cast<size_t>(i)];
  return sum;
}

double PatchCodes::Uncut(size_t code) const {
  return code < kWhitest ? static_cast<double>(code) : beyond;
}

Result<std::vector<PatchCodes>> CodesOf(const GrayPicture& scan,
                                        const FoundSheet& found,
                                        const SheetScale& scale) {
  std::vector<PatchCodes> all;
  for (const SheetPatch& patch : Sheet::Patches()) {
    all.push_back(CodesOf(scan, found, patch, scale.size));
  }
  HALFTONED_TRY(CheckClipping(all));
  const double beyond = MeanBeyond(all);
  for (PatchCodes& codes : all) codes.beyond = beyond;
  HALFTONED_TRY(CheckNoiseAndBlur(all, scale.dots_per_inch()));
  return all;
}

}  // namespace halftoned
