// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the tones of a printer from a scan of its calibration sheet: finds the
// sheet, reads its code, finds how the scanner codes light, and turns the codes
// of the patches into light between the sheet's own black and paper.

#pragma once

#include <vector>

#include "base/result.h"
#include "calibrate/sheet/gray_picture.h"
#include "calibrate/sheet/scanner_tone.h"
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
  double scatter = 0;              // micrometres, of the paper
  double noise = 0;  // the deviation of a tone's light between its places, of 1
};

// Refuses a scan that says too little, with what to do.
Result<SheetReading> ReadSheet(const GrayPicture& scan);

}  // namespace halftoned
