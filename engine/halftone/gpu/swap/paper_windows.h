// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows of 2 × 2 pixels, by whose light `best` with print feedback judges
// swaps. A window is named by its last pixel.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/lanes.h"
#include "halftone/page/best_paper_table.h"

namespace halftoned::cuda::swap {

// A window: its bits, and whether it is an edge.
inline constexpr uint32_t kLeft = 1;
inline constexpr uint32_t kOwn = 2;
inline constexpr uint32_t kAcross = 4;
inline constexpr uint32_t kAbove = 8;
inline constexpr uint32_t kWindowBits = 16;
inline constexpr uint32_t kEdgeWindow = 16;
inline constexpr uint32_t kWindowKinds = 32;

// The light and the aims at a strength of print feedback, for the device.
struct PaperNumbers {
  int16_t light[kWindowKinds];
  int16_t aim[256];

  static PaperNumbers Of(int strength) {
    const PaperTable table = PaperTable::Of(strength);
    PaperNumbers numbers{};
    for (uint32_t kind = 0; kind < kWindowBits; ++kind) {
      const unsigned bits =
          (kind & kLeft ? 1u : 0u) | (kind & kAbove ? 2u : 0u) |
          (kind & kAcross ? 4u : 0u) | (kind & kOwn ? 8u : 0u);
      numbers.light[kind] = table.light[bits];
      numbers.light[kEdgeWindow + kind] =
          static_cast<int16_t>(PaperTable::LightOfBits(bits));
    }
    for (size_t tone = 0; tone < table.aim.size(); ++tone) {
      numbers.aim[tone] = table.aim[tone];
    }
    return numbers;
  }
};

// Pairs of neighbors, named by the upper left pixel of the four among which
// they are: on the right, below, across and across to the left.
inline constexpr int kPairKinds = 4;
inline constexpr int kPairRight = 0;
inline constexpr int kPairBelow = 1;
inline constexpr int kPairAcross = 2;
inline constexpr int kPairAcrossLeft = 3;

// From that corner.
struct PairShape {
  int first_column;  // of the first pixel, in the corner's row
  int last_row, last_column;
};
HALFTONED_BOTH constexpr PairShape ShapeOf(int kind) {
  return {kind == kPairAcrossLeft ? 1 : 0, kind == kPairRight ? 0 : 1,
          kind == kPairRight || kind == kPairAcross ? 1 : 0};
}

// Which of a window's bits a pixel is, in the window this many rows and columns
// further on; 0: none.
HALFTONED_BOTH constexpr uint32_t BitOf(int rows, int columns) {
  if (rows == 0) return columns == 0 ? kOwn : columns == 1 ? kLeft : 0;
  if (rows == 1) return columns == 0 ? kAbove : columns == 1 ? kAcross : 0;
  return 0;
}
// The bits of a pair in the windows that a swap changes: kPlaces of them by
// rows, three per row, from the corner on.
inline constexpr int kPlaces = 9;
HALFTONED_BOTH constexpr uint32_t BitsOfPair(int kind, int place) {
  const PairShape shape = ShapeOf(kind);
  const int row = place / 3;
  const int column = place % 3;
  return BitOf(row, column - shape.first_column) |
         BitOf(row - shape.last_row, column - shape.last_column);
}
// The bits of all places, four per place.
HALFTONED_BOTH constexpr uint64_t AllBitsOfPair(int kind) {
  uint64_t all = 0;
  for (int place = 0; place < kPlaces; ++place) {
    all |= uint64_t{BitsOfPair(kind, place)} << 4 * place;
  }
  return all;
}

}  // namespace halftoned::cuda::swap
