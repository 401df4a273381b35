// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The curve that corrects a printer's tones, and the remaining errors.

#pragma once

#include <string>
#include <vector>

#include "calibrate/sheet/sheet_reader.h"

namespace halftoned {

// The light of each tone, 0 … 255, without noise; never falls.
std::vector<double> PrintedLight(const SheetReading& reading);

// The text of a curve file (tone_curve.h) for this printed light.
std::string CurveTextOf(const std::vector<double>& printed);

// Errors, of 255.
struct Residual {
  double mean = 0;
  double worst = 0;
  double mean_limit = 0;  // expected: 95 % of means do not exceed it
};

// The errors to expect in a second print, with the curve.
Residual ExpectedResidual(const SheetReading& reading);
// The errors that a second print shows.
Residual ResidualOf(const SheetReading& reading);

}  // namespace halftoned
