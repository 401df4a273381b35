// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a scanner codes light, found from the rulings of a calibration sheet
// (ruling_fit.h), and whether a scan says enough about it.

#pragma once

#include <vector>

#include "base/result.h"
#include "calibrate/sheet/patch_light.h"
#include "calibrate/sheet/ruling_fit.h"

namespace halftoned {

struct FittedTone {
  ScannerTone tone;
  double scatter = 0;  // micrometres, of the paper
  // How sure the light of each patch is: a deviation, of 1.
  std::vector<double> deviations;
};

// Refuses scans that are so sharp or noisy that they tell too little, and such
// that no curve explains, and says what to do.
Result<FittedTone> FitScanner(const std::vector<PatchCodes>& patches,
                              const SheetScale& scale);

}  // namespace halftoned
