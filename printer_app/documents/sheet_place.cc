// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/sheet_place.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halftoned {
namespace {

bool IsLarger(const Extent& page, const Extent& paper) {
  return page.width > paper.width + kPaperTolerance ||
         page.height > paper.height + kPaperTolerance;
}

bool Suits(const Extent& page, const SheetPaper& paper, PageFit fit) {
  if (fit != PageFit::kFit && fit != PageFit::kFill &&
      !IsLarger(page, paper.size)) {
    return true;
  }
  return page.width == page.height || paper.size.width == paper.size.height ||
         (page.width > page.height) == (paper.size.width > paper.size.height);
}

PageFit Resolved(const Extent& page, const SheetPaper& paper, PageFit fit) {
  if (fit != PageFit::kAuto && fit != PageFit::kAutoFit) return fit;
  if (!IsLarger(page, paper.size)) return PageFit::kNone;
  return fit == PageFit::kAuto && !paper.has_margins() ? PageFit::kFill
                                                       : PageFit::kFit;
}

// Whole dots, so that a picture in the printer's resolution is not resampled.
double Centred(double length, double room, double dot) {
  return std::round((room - length) / 2 / dot) * dot;
}

}  // namespace

SheetPlace Place(const Extent& page, const SheetPaper& paper, PageFit fit,
                 const std::optional<int>& turns) {
  SheetPlace placed{turns.value_or(Suits(page, paper, fit) ? 0 : 1), 1, 0, 0,
                    page};
  Extent& size = placed.size;
  if (placed.turns % 2 != 0) std::swap(size.width, size.height);
  fit = Resolved(size, paper, fit);
  const bool is_within = fit == PageFit::kFit;
  const Extent room = is_within ? paper.printable() : paper.size;
  if (fit != PageFit::kNone) {
    const auto [least, most] =
        std::minmax({room.width / size.width, room.height / size.height});
    placed.scale = is_within ? least : most;
    size.width *= placed.scale;
    size.height *= placed.scale;
  }
  placed.left =
      (is_within ? paper.left : 0) + Centred(size.width, room.width, paper.dot);
  const double centred = Centred(size.height, room.height, paper.dot);
  placed.top = is_within ? paper.top : 0;
  placed.top = paper.is_endless ? std::min(placed.top + centred, paper.top)
                                : placed.top + centred;
  return placed;
}

}  // namespace halftoned
