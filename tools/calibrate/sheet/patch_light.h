// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The light of the patches of a calibration chart, for a given encoding of
// light by the scanner: code^(power + bend·(1 − 2·code)), with a code of 1 for
// paper. This covers powers, sGray, and S-shaped curves.

#pragma once

#include <vector>

#include "calibrate/sheet/sheet_codes.h"

namespace halftoned {

struct ScannerTone {
  double power = 2.0;
  double bend = 0;
};

struct PatchLight {
  // The light of each patch, 0 (solid) … 1 (the paper around it): the mean, and
  // the deviation without noise.
  std::vector<double> mean;
  std::vector<double> deviation;
  double black;  // the light of solid patches, as a fraction of paper's
};

PatchLight LightOf(const std::vector<PatchCodes>& patches,
                   const ScannerTone& tone);

}  // namespace halftoned
