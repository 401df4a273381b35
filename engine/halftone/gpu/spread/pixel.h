// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The word that contains everything that a recipe needs to know about a pixel;
// a table (BandJob::tone) has one for each sample or step of the curve.
//
//   fine      the value in its interval (levels.h) as a float, and in bits that
//             are free, since values are at most 4080, the row of constants
//             (fine_rows.h) and in the lowest ones the interval's level; taken
//             for a fraction of the value they are less than a half
//             with print feedback, integers: see kPaperRowShift
//   clustered the value, flags, and the row of the table
//   others    the value, and flags

#pragma once

#include <cstdint>

#include "halftone/gpu/common/pixel_term.h"

namespace halftoned::cuda::spread {

inline constexpr uint32_t kPurePixel = 0x1000;  // printed as it is
// Neither receives nor passes on errors. It is also a pure black pixel.
inline constexpr uint32_t kOutsidePixel = 0x2000;
inline constexpr uint32_t kOutsideWord = kOutsidePixel | kPurePixel;

// A pixel of clustered: a tone neither black nor white, and in the highest bits
// the row. A pixel outside, which is pure and black, takes and gives nothing,
// and begins no cluster. Its distance is harmless: a path through a pixel
// outside is never shorter than a path along the border.
inline constexpr uint32_t kTintedPixel = 0x8000;
inline constexpr int kClusterRowShift = 16;

// Rows of fine's constants: those of fine_table.h for dark and for light
// tones, and one for each of the two pure values.
inline constexpr uint32_t kFineLightRows = 44;  // from this row on
inline constexpr uint32_t kFinePureBlack = 88;
inline constexpr uint32_t kFinePureWhite = 89;
inline constexpr uint32_t kFineConstantRows = 90;
inline constexpr int kFineRowShift = 4;
inline constexpr uint32_t kFineRowMask = 0x7F << kFineRowShift;
inline constexpr uint32_t kFineLevelMask = (1 << kFineRowShift) - 1;
static_assert(kFineConstantRows << kFineRowShift < 1 << 11);
// The same holds for a pure black pixel.
inline constexpr uint32_t kFineOutsideWord = kFinePureBlack << kFineRowShift;

// A sample of fine with print feedback: the value, kPurePixel, the row of
// fine_table.h, and in the highest bits the bias plus kPaperBias.
inline constexpr int kPaperRowShift = 13;
inline constexpr uint32_t kPaperRowMask = 0x3F;
inline constexpr int kPaperBiasShift = 20;
inline constexpr int kPaperBias = 2048;
inline constexpr uint32_t kPaperNoBias = uint32_t{kPaperBias}
                                         << kPaperBiasShift;

}  // namespace halftoned::cuda::spread
