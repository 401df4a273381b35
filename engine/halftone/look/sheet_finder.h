// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds a calibration sheet in a scan: turned by any quarter and by some
// degrees, shifted, and seen in perspective.

#ifndef HALFTONED_HALFTONE_LOOK_SHEET_FINDER_H_
#define HALFTONED_HALFTONE_LOOK_SHEET_FINDER_H_

#include <array>

#include "halftone/look/calibration_sheet.h"

namespace halftoned {

struct SheetPoint {
  double x;
  double y;
};

// A projective map of the plane.
class Projection {
 public:
  // Takes `from` to `to`, four points each, no three of them on a line.
  Projection(const std::array<SheetPoint, 4>& from,
             const std::array<SheetPoint, 4>& to);
  SheetPoint operator()(SheetPoint point) const;

 private:
  std::array<double, 8> numbers_;
};

// Where the sheet lies.
struct FoundSheet {
  Projection to_scan;   // of millimetres on the sheet
  Projection to_sheet;  // of pixels
};

// Refuses scans without a sheet, with a mirrored one, and of too little
// contrast, and says what to do.
Result<FoundSheet> FindSheet(const GrayPicture& scan);

// Solves equations; each row has its right side last.
void SolveEquations(std::vector<std::vector<double>>& rows);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOOK_SHEET_FINDER_H_
