// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a square of 7 × 7 modules is the finder at an upper corner of a QR
// code, and how wide that code is. What a code says does not matter.

#pragma once

#include <cstdint>
#include <optional>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/module_grid.h"

namespace halftoned {

struct QrShape {
  ModuleGrid grid;  // from the middle of the finder
  int64_t width;    // modules
  int64_t quiet;    // the same
  uint16_t light_from;
};

// grid: its place and module as measured, its side.
std::optional<QrShape> QrShapeOf(const LightRows& rows, const ModuleGrid& grid);

}  // namespace halftoned
