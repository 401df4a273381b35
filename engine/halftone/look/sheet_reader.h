// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the tones of a printer from a scan of its calibration sheet.
//
// Nothing is known of the scanner but that its code is a power of light. Paper
// is what the blanks around a patch are, black what the solid patches are. The
// power follows from the rulings: edges of lines take light, the same each, so
// a fine ruling loses as many times more of its half as it has more edges. In
// the scan the fine one is a gray and the coarse one is black and white, and
// only with the right power is this so.

#ifndef HALFTONED_HALFTONE_LOOK_SHEET_READER_H_
#define HALFTONED_HALFTONE_LOOK_SHEET_READER_H_

#include <string>

#include "halftone/look/calibration_sheet.h"

namespace halftoned {

struct ToneReading {
  int tone;       // that was printed, without a curve
  double light;   // 0 black … 1 paper
  double spread;  // between the places of the tone
};

struct SheetReading {
  double gamma;  // of the scanner
  std::vector<ToneReading> tones;
};

// Refuses a scan that says too little, with what to do.
Result<SheetReading> ReadSheet(const GrayPicture& scan);

// The text of a curve file (tone_curve.h) that makes up for what was read.
std::string CurveTextOf(const SheetReading& reading);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOOK_SHEET_READER_H_
