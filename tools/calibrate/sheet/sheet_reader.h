// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the tones of a printer from a scan of its calibration sheet: finds the
// sheet, reads its code, finds how the scanner codes light, and turns the codes
// of the patches into light between the sheet's own black and paper.

#pragma once

#include <vector>

#include "base/result.h"
#include "calibrate/sheet/gray_picture.h"
#include "calibrate/sheet/patch_light.h"
#include "calibrate/sheet/ruling_fit.h"
#include "calibrate/sheet/sheet_code.h"

namespace halftoned {

struct ToneReading {
  int tone;          // that was asked for
  double light;      // 0 black … 1 paper
  double deviation;  // of the light, by what is known of the scanner
};

struct SheetReading {
  SheetInfo info;
  ScannerTone scanner;
  std::vector<ToneReading> tones;  // from dark to light
  double scatter = 0;              // micrometers, of the paper
  double noise = 0;  // the deviation of a tone's light between its places, of 1
};

// Refuses a scan that says too little, with what to do.
Result<SheetReading> ReadSheet(const GrayPicture& scan);

// How a scanner codes light, found from the rulings of a calibration sheet
// (ruling_fit.h), and whether a scan says enough about it.
struct FittedTone {
  ScannerTone tone;
  double scatter = 0;  // micrometers, of the paper
  // How sure the light of each patch is: a deviation, of 1.
  std::vector<double> deviations;
};

// Refuses scans that are so sharp or noisy that they tell too little, and such
// that no curve explains, and says what to do.
Result<FittedTone> FitScanner(const std::vector<PatchCodes>& patches,
                              const SheetScale& scale);

}  // namespace halftoned
