// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulated scan of a printed calibration sheet. The print has the tones that
// are given, and rulings as a simulated laser (laser_model.h) prints them. The
// scanner turns, shifts, blurs, darkens towards its rim, adds noise, and codes
// light by a power.

#ifndef HALFTONED_TESTS_HALFTONE_LOOK_SCANNER_MODEL_H_
#define HALFTONED_TESTS_HALFTONE_LOOK_SCANNER_MODEL_H_

#include <functional>

#include "bench/tone/laser_model.h"
#include "halftone/look/calibration_sheet.h"

namespace halftoned::testing {

struct Scanner {
  double dots_per_inch = 300;
  double degrees = 0;
  int quarters = 0;
  bool is_mirrored = false;
  double perspective = 0;  // share by which one side is shorter
  double blur = 1;         // deviation, pixels
  double noise = 0.01;     // deviation, of a code of 1
  double gamma = 2.2;
  double vignetting = 0.05;  // light lost in the corners
  double paper = 0.85;       // light of paper
  unsigned seed = 1;
};

// light_of: of a tone 0 … 255, between black and paper.
GrayPicture ScanOf(const std::function<double(int)>& light_of,
                   const bench::Laser& laser, const Scanner& scanner);

}  // namespace halftoned::testing

#endif  // HALFTONED_TESTS_HALFTONE_LOOK_SCANNER_MODEL_H_
