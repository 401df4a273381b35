// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Color to gray by the row, for files and for print; luminance.h has the
// formula. Conversion takes most of the time of reading a color page, so the
// loops are written so that compilers can vectorize them.

#pragma once

#include <array>
#include <cstddef>

namespace halftoned {

enum class ColourModel { kRgb, kCmy, kCmyk };

// Sample is uint8_t or uint16_t; the highest value is full light or full ink.

// Colors are the first of the `samples_per_pixel` samples of a pixel; the
// others are skipped.
template <typename Sample>
void LumaOfPixels(ColourModel model, const Sample* pixels,
                  size_t samples_per_pixel, size_t width, Sample* gray);

// One plane per color, `width` samples in each.
template <typename Sample>
void LumaOfPlanes(ColourModel model, const std::array<const Sample*, 4>& planes,
                  size_t width, Sample* gray);

}  // namespace halftoned
