// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the upper part of a block of pixels is the upper part of a square
// DataMatrix code. The content of the code does not matter.

#pragma once

#include <cstdint>
#include <optional>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/code_area.h"

namespace halftoned {

struct PixelBox {
  int64_t left, right, top, bottom;
};

// box: includes light pixels to the left of the code, to its right and above.
std::optional<CodeArea> DataMatrixIn(const LightRows& rows, const PixelBox& box,
                                     int light_from);

}  // namespace halftoned
