// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gamut of a palette: what its colors can mix, the convex hull of their
// light. Colors outside it are moved to the nearest one of it, as OKLab has
// distances near the color that is moved.

#pragma once

#include <span>

#include "halftone/palette/light.h"

namespace halftoned {

// The color of the gamut that stands for `wanted`; `wanted` itself if it is in
// the gamut, or less than can be seen beside it. mixed: 2 … 16 colors.
Light InGamut(const Light& wanted, std::span<const Light> mixed);

}  // namespace halftoned
