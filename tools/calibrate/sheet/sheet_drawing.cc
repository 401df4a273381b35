// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/sheet_drawing.h"

#include <algorithm>
#include <cmath>

namespace halftoned {
namespace {

using Sheet = CalibrationSheet;

constexpr double kMillimetresOfInch = 25.4;
constexpr double kMargin = 5;  // millimeters that printers cannot print
constexpr double kLeastScale = 0.7;

// The number of dots in a unit of rulings.
int DotsOfUnit(double dots_per_inch) {
  return std::max(1, static_cast<int>(std::lround(Sheet::kUnit * dots_per_inch /
                                                  kMillimetresOfInch)));
}

}  // namespace

Result<SheetPlace> SheetPlace::On(const SheetPaper& paper) {
  const double scale =
      std::min({1.0, (paper.width - 2 * kMargin) / Sheet::kWidth,
                (paper.height - 2 * kMargin) / Sheet::kWholeHeight});
  if (!(scale >= kLeastScale)) {
    return BadInput(
        "the paper is too small for a calibration chart, which needs 95 by 137 "
        "millimeters");
  }
  return SheetPlace{scale, (paper.width - scale * Sheet::kWidth) / 2,
                    (paper.height - scale * Sheet::kWholeHeight) / 2};
}

SheetSize SheetPlace::Size(double across, double down) const {
  const auto micrometers = [](double dots_per_inch) {
    return 1000 * kMillimetresOfInch / dots_per_inch *
           DotsOfUnit(dots_per_inch);
  };
  return {scale, micrometers(across), micrometers(down)};
}

Result<SheetDrawing> SheetDrawing::Make(std::vector<SheetMark> marks,
                                        const SheetPaper& paper, double across,
                                        double down) {
  if (!(std::min(across, down) >= 150 && std::max(across, down) <= 2400)) {
    return BadInput("a calibration chart needs 150 … 2400 dpi");
  }
  HALFTONED_TRY_ASSIGN(const SheetPlace place, SheetPlace::On(paper));
  SheetDrawing drawing;
  const auto dots = [](double millimeters, double dots_per_inch) {
    return static_cast<int>(
        std::lround(millimeters * dots_per_inch / kMillimetresOfInch));
  };
  drawing.width_ = dots(paper.width, across);
  drawing.rows_ = dots(paper.height, down);
  drawing.unit_across_ = DotsOfUnit(across);
  drawing.unit_down_ = DotsOfUnit(down);
  for (const SheetMark& mark : marks) {
    const double left = place.left + place.scale * mark.left;
    const double top = place.top + place.scale * mark.top;
    drawing.boxes_.push_back({dots(left, across), dots(top, down),
                              dots(left + place.scale * mark.width, across),
                              dots(top + place.scale * mark.height, down),
                              mark.gray, mark.ruling, mark.is_lying});
  }
  return drawing;
}

void SheetDrawing::Row(int y, uint8_t* row) const {
  std::fill_n(row, width_, uint8_t{255});
  for (const Box& box : boxes_) {
    if (y < box.top || y >= box.bottom) continue;
    std::fill(row + box.left, row + box.right, box.gray);
    if (box.ruling.period() == 0) continue;
    for (int x = box.left; x < box.right; ++x) {
      const int line = box.is_lying ? (y - box.top) / unit_down_
                                    : (x - box.left) / unit_across_;
      if (line % box.ruling.period() < box.ruling.black) row[x] = 0;
    }
  }
}

GrayPicture SheetDrawing::Picture() const {
  GrayPicture picture(width_, rows_);
  for (int y = 0; y < rows_; ++y) Row(y, picture.Row(y));
  return picture;
}

}  // namespace halftoned
