// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The luminance of whole rows of RGB, which is most of the time that reading a
// colour page takes; hence loops that compilers turn into vectors.

#ifndef HALFTONED_TOOLS_IMAGE_LUMA_ROW_H_
#define HALFTONED_TOOLS_IMAGE_LUMA_ROW_H_

#include <cstddef>
#include <cstdint>

namespace halftoned {

// rgb: 3 · width samples.
void LumaOfPixels(const uint8_t* rgb, size_t width, uint8_t* gray);
void LumaOfPixels(const uint16_t* rgb, size_t width, uint16_t* gray);

// width samples in each plane.
void LumaOfPlanes(const uint8_t* red, const uint8_t* green, const uint8_t* blue,
                  size_t width, uint8_t* gray);
void LumaOfPlanes(const uint16_t* red, const uint16_t* green,
                  const uint16_t* blue, size_t width, uint16_t* gray);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_LUMA_ROW_H_
