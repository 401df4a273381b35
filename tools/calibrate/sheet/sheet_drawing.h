// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A calibration chart as rows of gray samples, one per printer dot.

#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "calibrate/sheet/calibration_sheet.h"
#include "calibrate/sheet/gray_picture.h"

namespace halftoned {

struct SheetPaper {
  double width = 210;  // millimeters
  double height = 297;
};

// The place of a chart on its paper: in the middle, and scaled down if
// necessary. Paper that is too small is rejected.
struct SheetPlace {
  static Result<SheetPlace> On(const SheetPaper& paper);

  // The size that a printer with this many dpi prints.
  SheetSize Size(double across, double down) const;

  double scale;  // at most 1
  double left;   // millimeters
  double top;
};

class SheetDrawing {
 public:
  // Rejects resolutions below 150 dpi and above 2400 dpi.
  static Result<SheetDrawing> Make(std::vector<SheetMark> marks,
                                   const SheetPaper& paper, double across,
                                   double down);

  int width() const { return width_; }
  int rows() const { return rows_; }
  // Fills the samples of a row.
  void Row(int y, uint8_t* row) const;
  GrayPicture Picture() const;

 private:
  // The box of a mark, in dots.
  struct Box {
    int left, top, right, bottom;
    uint8_t gray;
    Ruling ruling;
    bool is_lying;
  };

  int width_ = 0;
  int rows_ = 0;
  int unit_across_ = 1;
  int unit_down_ = 1;
  std::vector<Box> boxes_;
};

}  // namespace halftoned
