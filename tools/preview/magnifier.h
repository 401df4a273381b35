// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of a page's dots, enlarged: as bits, and as printed.

#pragma once

#include <cstdint>

#include "preview/print_view.h"

namespace halftoned {

struct MagnifierWindow {
  // In both directions, unless the page is smaller.
  static constexpr int kDots = 64;
  static constexpr int kEnlarged = 8;  // pixels per dot's shorter side

  int32_t left;  // dots
  int32_t top;
  int32_t dots_across;
  int32_t dots_down;
};

// The window around a position in dots, kept within the page.
MagnifierWindow MagnifierAround(double x, double y, const PreviewPage& page);

struct MagnifierPictures {
  GrayPicture bits;   // squares of light
  GrayPicture print;  // the dots printed with toner
};

Result<MagnifierPictures> MagnifierOf(const PreviewPage& page,
                                      const Recipe& recipe, TextEdges edges,
                                      const PrintGeometry& geometry,
                                      const MagnifierWindow& window,
                                      Pool& pool);

}  // namespace halftoned
