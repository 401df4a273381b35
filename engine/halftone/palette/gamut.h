// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gamut of a palette: what its colors can mix, the convex hull of their
// light. Colors outside it move to the nearest color in it, by OKLab's
// distances near the original color.

#pragma once

#include <span>

#include "halftone/palette/light.h"

namespace halftoned {

// The color of the gamut that replaces `wanted`; `wanted` itself if it is in
// the gamut, or invisibly close to it. mixed: 2 … 16 colors.
Light InGamut(const Light& wanted, std::span<const Light> mixed);

}  // namespace halftoned
