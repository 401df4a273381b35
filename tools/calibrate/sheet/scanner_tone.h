// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a scanner codes light, found from the rulings of a calibration sheet, of
// which only these numbers of lines and widths are known: edges of lines lose
// light, the same at each, so a ruling loses as many times more as it has more
// edges. That is so only if codes are turned into light in the right way.
//
// Light is code^(power + bend·(1 − 2·code)), with a code of 1 for paper. This
// holds powers, sGray, and curves like an S.

#ifndef HALFTONED_TOOLS_CALIBRATE_SHEET_SCANNER_TONE_H_
#define HALFTONED_TOOLS_CALIBRATE_SHEET_SCANNER_TONE_H_

#include <vector>

#include "base/result.h"
#include "calibrate/sheet/sheet_codes.h"

namespace halftoned {

struct ScannerTone {
  double power = 2.2;
  double bend = -0.1;
};

// The light of each patch, 0 (solid) … 1 (the paper around it).
std::vector<double> LightOf(const std::vector<PatchCodes>& patches,
                            const ScannerTone& tone);

struct FittedTone {
  ScannerTone tone;
  // How sure the light of each patch is: a deviation, of 1.
  std::vector<double> deviations;
};

// Refuses scans that are so sharp or noisy that they tell too little, and such
// that no curve explains, and says what to do.
Result<FittedTone> FitScanner(const std::vector<PatchCodes>& patches);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_CALIBRATE_SHEET_SCANNER_TONE_H_
