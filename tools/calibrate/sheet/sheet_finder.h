// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds a calibration chart in a scan, where it may be rotated by multiples of
// 90°, skewed by some degrees, shifted, and in perspective.

#pragma once

#include <array>
#include <vector>

#include "base/result.h"
#include "calibrate/sheet/calibration_sheet.h"
#include "calibrate/sheet/gray_picture.h"

namespace halftoned {

struct SheetPoint {
  double x;
  double y;
};

// A projective map of the plane.
class Projection {
 public:
  // The map from `from` to `to`: four points each, no three of them on a line.
  Projection(const std::array<SheetPoint, 4>& from,
             const std::array<SheetPoint, 4>& to);
  SheetPoint operator()(SheetPoint point) const;

 private:
  std::array<double, 8> numbers_;
};

// The position of the calibration chart in the scan.
struct FoundSheet {
  Projection to_scan;   // from millimeters on the chart
  Projection to_sheet;  // from pixels
  int dark;             // codes below this are dark
};

// Rejects scans without a chart, with a mirrored chart, with too little
// contrast, or with only two levels. The error says what to do.
Result<FoundSheet> FindSheet(const GrayPicture& scan);

// The bits of the chart's code (sheet_code.h). off: the code's offset from its
// nominal position.
std::vector<bool> ReadCode(const GrayPicture& scan, const FoundSheet& found,
                           SheetPoint off);

// The middle of a patch on the chart.
SheetPoint MiddleOf(const SheetPatch& patch);

// Solves linear equations. The last number in each row is its right side.
void SolveEquations(std::vector<std::vector<double>>& rows);

}  // namespace halftoned
