// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of `fine`: for each tone how errors are spread and how far apart
// dots are kept. It was optimized on flat fields of every tone and measured on
// other pages. docs/reference/bits.md says what the columns mean; a tone and
// its opposite share a row.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "halftone/page/tone_curve.h"

namespace halftoned {

// Weights are 256ths; straight down gets the rest.
struct FineRow {
  int16_t right;
  int16_t down_right;
  int16_t down_left;
  int16_t down_left_left;
  int16_t gain;   // 16ths, by which the distance beyond `onset` …
  int16_t onset;  // … moves the threshold, up to kFineMaxShift
  int16_t lift;   // moves the threshold anyway
};

inline constexpr int kFineRows = 44;
inline constexpr int kFineMaxShift = 2040;

// Steps of the distance to the last dot: beside or above, and across.
inline constexpr int kFineNear = 5;
inline constexpr int kFineAcross = 7;
inline constexpr int kFineFar = 1000;  // no dot in sight

using ToneTable = std::array<FineRow, kFineRows>;

inline constexpr ToneTable kFineTable = {{
    // clang-format off
    {153, 44, -64, 109, 0, 0, 0},
    {21, 37, 35, 10, 84, 32, 638},
    {39, 42, 28, 12, 116, 28, 751},
    {57, 47, 20, 13, 148, 24, 864},
    {64, 45, 17, 12, 156, 22, 941},
    {70, 44, 14, 10, 165, 21, 1018},
    {77, 42, 11, 9, 173, 19, 1095},
    {81, 35, 12, 10, 180, 19, 1107},
    {85, 28, 13, 12, 187, 19, 1119},
    {90, 22, 14, 13, 194, 20, 1132},
    {94, 15, 15, 14, 200, 20, 1144},
    {98, 8, 16, 16, 207, 20, 1156},
    {102, 1, 17, 17, 214, 20, 1168},
    {100, 2, 19, 17, 210, 18, 1127},
    {98, 3, 20, 17, 206, 16, 1085},
    {96, 4, 22, 17, 203, 14, 1044},
    {91, 6, 26, 16, 193, 8, 940},
    {88, 9, 31, 16, 179, 3, 825},
    {93, 11, 33, 16, 166, 2, 793},
    {99, 14, 35, 16, 152, 1, 760},
    {100, 18, 36, 16, 141, 1, 750},
    {94, 25, 36, 15, 133, 1, 778},
    {88, 32, 35, 14, 126, 2, 806},
    {85, 32, 38, 13, 111, 3, 800},
    {88, 19, 47, 9, 83, 5, 735},
    {91, 5, 56, 5, 56, 8, 670},
    {88, 1, 68, 6, 34, 8, 624},
    {74, 12, 85, 14, 22, 4, 608},
    {70, 25, 93, 15, 16, 2, 582},
    {80, 40, 86, 6, 17, 6, 541},
    {89, 47, 74, 2, 16, 8, 506},
    {95, 43, 56, 7, 12, 7, 481},
    {100, 38, 38, 12, 8, 6, 457},
    {105, 34, 22, 16, 5, 5, 430},
    {106, 34, 26, 14, 9, 5, 392},
    {107, 35, 30, 13, 12, 6, 353},
    {108, 35, 34, 11, 15, 6, 314},
    {106, 36, 38, 10, 22, 5, 264},
    {99, 39, 39, 8, 36, 4, 195},
    {91, 42, 40, 7, 50, 2, 126},
    {84, 45, 42, 6, 64, 0, 57},
    {80, 48, 39, 5, 48, 0, 35},
    {76, 52, 36, 4, 28, 0, 20},
    {72, 56, 33, 3, 8, 0, 6},
    // clang-format on
}};

// The tone, 0 … 255, of a value 0 … kWhite between two levels, and the row of a
// tone.
constexpr int FineToneOf(int v) { return (v + 8) >> 4; }
constexpr int FineRowOf(int tone) {
  const int u = std::min(tone, 255 - tone);
  return std::min(u, (u + 48) >> 2);
}

}  // namespace halftoned
