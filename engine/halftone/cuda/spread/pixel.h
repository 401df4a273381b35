// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The word that says all of a pixel that a recipe asks for; a table of them
// (BandJob::tone) has one for each sample or step of the curve.
//
//   fine      the value as a float, and in its lowest 7 bits, which are free
//             since values are at most 4080, the row of constants (fine_rows.h)
//   others    the value, and flags

#ifndef HALFTONED_HALFTONE_CUDA_SPREAD_PIXEL_H_
#define HALFTONED_HALFTONE_CUDA_SPREAD_PIXEL_H_

#include <cstdint>

namespace halftoned::cuda::spread {

inline constexpr uint32_t kValueMask = 0xFFF;
inline constexpr uint32_t kPurePixel = 0x1000;  // printed as it is
// Neither takes nor gives anything. It is a pure black pixel besides.
inline constexpr uint32_t kOutsidePixel = 0x2000;
inline constexpr uint32_t kOutsideWord = kOutsidePixel | kPurePixel;

// Rows of fine's constants: those of fine_table.h for dark and for light
// tones, and one for each of the two pure values.
inline constexpr uint32_t kFineLightRows = 44;  // from this row on
inline constexpr uint32_t kFinePureBlack = 88;
inline constexpr uint32_t kFinePureWhite = 89;
inline constexpr uint32_t kFineConstantRows = 90;
inline constexpr uint32_t kFineRowMask = 0x7F;
// A pure black pixel takes and gives nothing, and its distance is harmless: a
// way past a pixel outside is never shorter than one along the border.
inline constexpr uint32_t kFineOutsideWord = kFinePureBlack;  // 0.0f

}  // namespace halftoned::cuda::spread

#endif  // HALFTONED_HALFTONE_CUDA_SPREAD_PIXEL_H_
