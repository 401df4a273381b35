// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The curve that makes up for a printer's tones, and what remains with it.

#pragma once

#include <string>
#include <vector>

#include "calibrate/sheet/sheet_reader.h"

namespace halftoned {

// The light of each tone, 0 … 255, without what noise adds; never falls.
std::vector<double> PrintedLight(const SheetReading& reading);

// The text of a curve file (tone_curve.h) for light that was printed so.
std::string CurveTextOf(const std::vector<double>& printed);

// Errors, of 255.
struct Residual {
  double mean = 0;
  double worst = 0;
  double mean_limit = 0;  // expected: what 95 % of means do not exceed
};

// What is to be expected of a second print, with the curve.
Residual ExpectedResidual(const SheetReading& reading);
// What a second print shows.
Residual ResidualOf(const SheetReading& reading);

}  // namespace halftoned
