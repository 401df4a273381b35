// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulated scan of a printed calibration sheet (printed_sheet.h). The
// scanner rotates and shifts the sheet, blurs, darkens toward the edges, codes
// light by a power, as sGray or by an S-shaped curve, and adds noise and JPEG
// losses.

#pragma once

#include "bench/tone/printed_sheet.h"
#include "calibrate/sheet/gray_picture.h"

namespace halftoned::bench {

struct Scanner {
  double dots_per_inch = 300;
  double degrees = 0;
  int quarters = 0;
  bool is_mirrored = false;
  double perspective = 0;  // share by which one side is shorter
  double blur = 1;         // deviation, pixels
  double blur_down = 0;    // of the scan, if it differs
  double flare = 0;  // share of light that is blurred more; sharpened: negative
  double noise = 0.01;  // deviation, of a code of 1
  double gamma = 2.2;
  double s = 0;              // strength of the S-shaped curve
  bool is_srgb = false;      // in place of gamma
  double least_code = 0;     // what becomes 0; the rest is stretched
  double vignetting = 0.05;  // light lost in the corners
  double paper = 0.85;       // light of paper
  int jpeg_quality = 0;      // 0: none
  unsigned seed = 1;
};

GrayPicture ScanOf(const SheetPrint& print, const Scanner& scanner);

}  // namespace halftoned::bench
