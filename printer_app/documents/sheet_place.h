// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of a page or a picture on the paper, by IPP's print-scaling and
// orientation-requested: in the middle, or at the top of endless paper. Pure;
// all lengths are points.

#pragma once

#include <optional>

namespace halftoned {

struct Extent {
  double width;
  double height;
};

// The paper is as wide and high as whole dots.
struct SheetPaper {
  Extent size;
  double left;  // margins
  double right;
  double top;
  double bottom;
  double dot;
  bool is_endless = false;  // blank paper above is fed, and below is not

  bool has_margins() const {
    return left > 0 || right > 0 || top > 0 || bottom > 0;
  }
  Extent printable() const {
    return {size.width - left - right, size.height - top - bottom};
  }
};

enum class PageFit { kAuto, kAutoFit, kFill, kFit, kNone };

// Sizes that differ by less than this count as the same paper.
inline constexpr double kPaperTolerance = 5;

struct SheetPlace {
  int turns;     // quarter turns against the clock
  double scale;  // after the turns
  double left;   // of the turned and scaled page, from the paper's left edge
  double top;    // and from its top; may be negative
  Extent size;   // of the turned and scaled page
};

// turns: if nothing, the page is turned counterclockwise where that suits the
// paper better. With kAuto and kAutoFit, a page larger than the paper is scaled
// down to fit.
SheetPlace Place(const Extent& page, const SheetPaper& paper, PageFit fit,
                 const std::optional<int>& turns);

}  // namespace halftoned
