// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/sheet_codes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace halftoned {
namespace {

using Kind = SheetPatch::Kind;
using Sheet = CalibrationSheet;

constexpr double kLooked = 6.2;  // millimetres of a patch's side
constexpr int kWhitest = 254;
constexpr int kBlackest = 1;
constexpr double kMostClipped = 0.08;
constexpr double kMostUneven = 0.05;  // deviation, of black to white

// Falls to nothing at the rim, so that it is all the same where the lines of a
// ruling begin.
double WeightAt(double distance) {
  if (std::abs(distance) >= kLooked / 2) return 0;
  return 1 + std::cos(2 * std::numbers::pi * distance / kLooked);
}

PatchCodes CodesOf(const GrayPicture& scan, const FoundSheet& found,
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
  PatchCodes codes{patch};
  double all = 0;
  const int end_x = std::min(static_cast<int>(right) + 1, scan.width);
  const int end_y = std::min(static_cast<int>(bottom) + 1, scan.height);
  for (int y = std::max(static_cast<int>(top), 0); y < end_y; ++y) {
    for (int x = std::max(static_cast<int>(left), 0); x < end_x; ++x) {
      const SheetPoint at = found.to_sheet({x + 0.5, y + 0.5});
      const double weight =
          WeightAt(at.x - middle.x) * WeightAt(at.y - middle.y);
      codes.share[scan.At(x, y)] += weight;
      all += weight;
    }
  }
  if (all > 0) {
    for (double& share : codes.share) share /= all;
  }
  return codes;
}

// What all patches of a kind say, in the mean.
double MeanOf(const std::vector<PatchCodes>& all, Kind kind, const auto& says) {
  double sum = 0;
  int count = 0;
  for (const PatchCodes& codes : all) {
    if (codes.patch.kind != kind) continue;
    sum += says(codes);
    ++count;
  }
  return sum / count;
}

Result<void> CheckClipping(const std::vector<PatchCodes>& all) {
  for (const PatchCodes& codes : all) {
    if (codes.patch.kind == Kind::kBlank &&
        codes.Share(kWhitest, 255) > kMostClipped) {
      return BadInput(
          "the scan is clipped: paper is as light as a scan can be; scan "
          "darker, or without correction of brightness");
    }
    if (codes.patch.kind == Kind::kSolid &&
        codes.Share(0, kBlackest) > kMostClipped) {
      return BadInput(
          "the scan is clipped: black is as dark as a scan can be; scan "
          "lighter, or without correction of contrast");
    }
  }
  return {};
}

// Where a scan is blurred, what is around solid patches brightens them.
Result<void> CheckBlur(const std::vector<PatchCodes>& all) {
  const auto mean_code = [](const PatchCodes& codes) {
    return codes.MeanCode();
  };
  const auto deviation = [](const PatchCodes& codes) {
    return codes.Deviation();
  };
  const double noise = MeanOf(all, Kind::kBlank, deviation);
  const double uneven = MeanOf(all, Kind::kSolid, deviation);
  const double range = MeanOf(all, Kind::kBlank, mean_code) -
                       MeanOf(all, Kind::kSolid, mean_code);
  if (uneven < noise + kMostUneven * range) return {};
  return BadInput(
      "the scan is blurred: clean the glass, lay the sheet flat, and scan in "
      "150 dots an inch or more");
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
    sum += share[i] * static_cast<double>(i);
  }
  return sum;
}

double PatchCodes::Deviation() const {
  const double mean = MeanCode();
  double sum = 0;
  for (size_t i = 0; i < share.size(); ++i) {
    const double off = static_cast<double>(i) - mean;
    sum += share[i] * off * off;
  }
  return std::sqrt(sum);
}

double PatchCodes::Share(int first, int last) const {
  double sum = 0;
  for (int i = first; i <= last; ++i) sum += share[static_cast<size_t>(i)];
  return sum;
}

Result<std::vector<PatchCodes>> CodesOf(const GrayPicture& scan,
                                        const FoundSheet& found) {
  std::vector<PatchCodes> all;
  for (const SheetPatch& patch : Sheet::Patches()) {
    all.push_back(CodesOf(scan, found, patch));
  }
  HALFTONED_TRY(CheckClipping(all));
  HALFTONED_TRY(CheckBlur(all));
  return all;
}

}  // namespace halftoned
