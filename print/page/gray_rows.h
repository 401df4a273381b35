// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts samples of raster rows to gray light: 0 black, the highest value
// white. Pure.

#pragma once

#include <cstddef>
#include <span>

#include "print/raster/raster_form.h"

namespace halftoned {

// Black to light, in place, for samples of any depth.
void BlackToLight(std::span<std::byte> samples);

// One row of chunky colors, `form.bytes_per_line` bytes, to one row of gray;
// both are aligned for their samples. Precondition: `form` has more than one
// color.
void ColourToLight(const RasterForm& form, const std::byte* row,
                   std::byte* gray);

}  // namespace halftoned
