// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/sheet_codes.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "calibrate/sheet/normal.h"

namespace halftoned {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

constexpr double kLooked = 6.2;  // millimetres of a patch's side
constexpr double kFall = 0.6;    // millimetres over which a weight falls
constexpr double kFallOfLines = 1.7;
constexpr int kWhitest = 254;
constexpr int kBlackest = 1;
constexpr double kMostWhite = 0.25;   // of a blank patch; the median is not
constexpr double kMostBlack = 0.25;   // of a solid one
constexpr double kMostUneven = 0.05;  // deviation, of black to white

// The weight of a place falls to its rim: of a ruling slowly, over more than
// two of its periods, so that it is all the same where the lines begin; of the
// rest it takes as much as it can.
class Window {
 public:
  // period: of a ruling, in millimetres of the sheet.
  Window(const SheetPatch& patch, double period)
      : middle_(MiddleOf(patch)),
        fall_(patch.kind == Kind::kRuling
                  ? std::clamp(kPeriods * period, kFallOfLines, kLooked / 2)
                  : kFall) {}

  double At(SheetPoint at) const {
    return AtDistance(at.x - middle_.x) * AtDistance(at.y - middle_.y);
  }

 private:
  static constexpr double kPeriods = 2.3;

  double AtDistance(double distance) const {
    const double inside = kLooked / 2 - std::abs(distance);
    if (inside <= 0) return 0;
    if (inside >= fall_) return 1;
    return (1 - std::cos(std::numbers::pi * inside / fall_)) / 2;
  }

  const SheetPoint middle_;
  const double fall_;
};

// Pixels of a scan, without the last ones.
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
  const Window window(patch, period);
  const Pixels pixels = PixelsOf(scan, found, patch);
  PatchCodes codes{patch};
  double all = 0;
  std::complex<double> wave, half_wave;
  for (int y = pixels.top; y < pixels.bottom; ++y) {
    for (int x = pixels.left; x < pixels.right; ++x) {
      const SheetPoint at = found.to_sheet({x + 0.5, y + 0.5});
      const double weight = window.At(at);
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

// The code that this share of a patch is darker than; a code has all from half
// a code below it to half a code above.
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

// The mean of what is beyond the lightest codes, in a normal distribution with
// the darker half of this patch.
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

// Of all blanks, each as much as it is clipped.
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

// Where a scan is blurred, what is around solid patches brightens them.
Result<void> CheckBlur(const std::vector<PatchCodes>& all) {
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
  if (uneven < noise + kMostUneven * range) return {};
  return BadInput(
      "the scan is blurred: clean the glass, lay the chart flat, and scan at "
      "150 dpi or more");
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
                                        const SheetSize& size) {
  std::vector<PatchCodes> all;
  for (const SheetPatch& patch : Sheet::Patches()) {
    all.push_back(CodesOf(scan, found, patch, size));
  }
  HALFTONED_TRY(CheckClipping(all));
  const double beyond = MeanBeyond(all);
  for (PatchCodes& codes : all) codes.beyond = beyond;
  HALFTONED_TRY(CheckBlur(all));
  return all;
}

}  // namespace halftoned
