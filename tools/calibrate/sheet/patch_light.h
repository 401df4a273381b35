// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The light of the patches of a calibration sheet, for a given way in which the
// scanner codes light: code^(power + bend·(1 − 2·code)), with a code of 1 for
// paper. This holds powers, sGray, and curves like an S.

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
  // the deviation without that of noise.
  std::vector<double> mean;
  std::vector<double> deviation;
  double black;  // the light of solid patches, of that of paper
};

PatchLight LightOf(const std::vector<PatchCodes>& patches,
                   const ScannerTone& tone);

}  // namespace halftoned
