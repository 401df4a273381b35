// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The codes that a scanner gave to the patches of a calibration chart: the
// distribution of codes in each patch. Knows nothing of light.

#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/result.h"
#include "calibrate/sheet/sheet_finder.h"

namespace halftoned {

// A value for each code, 0 … 255.
using OfCodes = std::array<double, 256>;

struct PatchCodes {
  // The mean of the values of the pixels' codes.
  double Mean(const OfCodes& of_codes) const;
  double MeanCode() const;
  double Deviation() const;  // of codes
  // The share of the codes from `first` to `last`.
  double Share(int first, int last) const;
  // The value of a code before the scanner clipped at its highest code.
  double Uncut(size_t code) const;

  SheetPatch patch;
  OfCodes share{};      // adds up to 1
  double beyond = 255;  // the mean of clipped values, the same for a chart
  // How unevenly pixels are distributed over the waves of a ruling, and over
  // waves of half the length; 0 … 1.
  double uneven = 0;
  double uneven_halves = 0;
};

struct SheetScale {
  double dots_per_inch() const { return 25400 / pixel; }

  SheetSize size;
  double pixel;  // of the scan, in micrometers of the print
};

constexpr double kLeastDotsPerInch = 140;  // of a scan

// The mean of says(patch) over all patches of a kind.
double MeanOfKind(const std::vector<PatchCodes>& patches, SheetPatch::Kind kind,
                  const auto& says) {
  double sum = 0;
  int count = 0;
  for (const PatchCodes& codes : patches) {
    if (codes.patch.kind != kind) continue;
    sum += says(codes);
    ++count;
  }
  return sum / count;
}

// Refuses scans that are clipped or blurred, and says what to do. If noise
// moves some of the paper beyond the lightest code, the missing part is
// estimated from the rest.
Result<std::vector<PatchCodes>> CodesOf(const GrayPicture& scan,
                                        const FoundSheet& found,
                                        const SheetScale& scale);

}  // namespace halftoned
