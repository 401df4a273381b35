// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the tones of a printer from a scan of its calibration chart: finds the
// chart, reads its code, determines how the scanner encodes light, and converts
// the codes of the patches to light, relative to the chart's own black and
// paper.

#pragma once

#include <vector>

#include "base/result.h"
#include "calibrate/sheet/gray_picture.h"
#include "calibrate/sheet/patch_light.h"
#include "calibrate/sheet/ruling_fit.h"
#include "calibrate/sheet/sheet_code.h"

namespace halftoned {

struct ToneReading {
  int tone;          // the requested tone
  double light;      // 0 black … 1 paper
  double deviation;  // of the light, estimated from the fit
};

struct SheetReading {
  SheetInfo info;
  ScannerTone scanner;
  std::vector<ToneReading> tones;  // from dark to light
  double scatter = 0;              // micrometers, of the paper
  // The deviation of a tone's light between its places, where paper is 1.
  double noise = 0;
};

// Rejects an unusable scan; the error says how to rescan.
Result<SheetReading> ReadSheet(const GrayPicture& scan);

// The scanner's encoding of light, fitted to the rulings of a calibration chart
// (ruling_fit.h), and the accuracy of the fit.
struct FittedTone {
  ScannerTone tone;
  double scatter = 0;  // micrometers, of the paper
  // The standard deviation of each patch's light, which is 0 … 1.
  std::vector<double> deviations;
};

// Rejects scans that are too sharp or too noisy for a fit, and scans that no
// curve fits. The error says what to do.
Result<FittedTone> FitScanner(const std::vector<PatchCodes>& patches,
                              const SheetScale& scale);

}  // namespace halftoned
