// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a scanner sees of printed rulings. Lines print wider than intended.
// Light passes the ink of a line twice, on its way into the paper and on its
// way out, and in between the paper scatters it over exponentially distributed
// distances. So paper between lines is darker than other paper, and closer
// lines make it darker still. Then the scanner blurs, which changes a ruling's
// contrast, but not its mean.

#pragma once

#include "calibrate/sheet/calibration_sheet.h"

namespace halftoned {

// Lengths are micrometers.
struct PrintedLines {
  double unit;     // of the ruling
  double wider;    // by how many units black lines are wider
  double scatter;  // the distance over which scattered light falls to 1/e
  double black;    // the light of solid ink, as a fraction of paper's; above 0
};

struct ScannerOptics {
  double pixel;
  double blur;   // the deviation of a Gaussian
  double flare;  // the share of light that is blurred more; sharpened: negative
};

// The light of a ruling: 0 is solid ink, 1 is paper.
struct RulingLight {
  double mean;
  double deviation;
};

RulingLight LightOfRuling(const Ruling& ruling, const PrintedLines& lines,
                          const ScannerOptics& optics);

}  // namespace halftoned
