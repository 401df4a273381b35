// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of a page's dots, enlarged: as bits, and as printed.

#pragma once

#include <cstdint>

#include "preview/print_view.h"

namespace halftoned {

struct MagnifierWindow {
  static constexpr int kDots = 64;  // in both directions, if the page has them
  static constexpr int kEnlarged = 8;  // pixels of a dot's shorter side

  int32_t left;  // dots
  int32_t top;
  int32_t dots_across;
  int32_t dots_down;
};

// Around a position in dots, within the page.
MagnifierWindow MagnifierAround(double x, double y, const PreviewPage& page);

struct MagnifierPictures {
  GrayPicture bits;   // squares of light
  GrayPicture print;  // what toner makes of them
};

Result<MagnifierPictures> MagnifierOf(const PreviewPage& page,
                                      const Recipe& recipe, TextEdges edges,
                                      const PrintGeometry& geometry,
                                      const MagnifierWindow& window,
                                      Pool& pool);

}  // namespace halftoned
