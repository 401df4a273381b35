// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a page lies on the GPU for the kernel that spreads errors. A strip
// consists of the rows of a block's two waves. A wave is a warp, and a row is a
// lane:
//
//   step t of a wave:   lane 0 is at column t
//                       lane 1 is at column t - 3
//                       lane 2 is at column t - 6 …
//
// A row must stay behind the row above by three columns, because errors are
// spread down left left: the sum for a column is complete when the row above is
// two columns further. The next wave starts when the last lane has come this
// far.

#pragma once

#include "halftone/gpu/common/lanes.h"

namespace halftoned::cuda::spread {

inline constexpr int kWaves = 2;  // of a block
inline constexpr int kRowsPerWave = kLanes;
inline constexpr int kRowsPerStrip = kWaves * kRowsPerWave;

// Columns by which a lane's row is behind that of lane 0.
HALFTONED_BOTH constexpr int LagOf(int lane) { return 3 * lane; }
inline constexpr int kWaveLag = LagOf(kRowsPerWave);  // from wave to wave
inline constexpr int kSumLag = 2;  // columns from a pixel to a complete sum

// Words of states that are handed on together: 16 bytes.
inline constexpr int kWordsPerStore = 4;

// A row of states, as one strip leaves it for the next: a 32-bit word for each
// column from -1 on, the word of column j at index j + pad, so that four steps,
// from a multiple of four on, finish one aligned 16-byte store. A word has
// everything that is new when a column's sum is complete:
//
//   bits 0 … 15    the sum for the column, in the row below
//   bits 16 … 31   the next column's other state
//
// Each is stored minus its smallest possible value.
HALFTONED_BOTH constexpr int PadOf(int lane) {
  return 1 + (LagOf(lane) + kSumLag - 1) % kWordsPerStore;
}
// The number of words of such a row, a multiple of 4: a lane goes on to the end
// of a group of steps (wave_strip.cuh).
HALFTONED_BOTH constexpr int WordsPerRow(int width) {
  return (width + 35) / kWordsPerStore * kWordsPerStore;
}

// A band that is cut (BandJob::head) has short strips below its head.
inline constexpr int kRowsPerCut = 16;

HALFTONED_BOTH constexpr int StripsOf(int rows) {
  return (rows + kRowsPerStrip - 1) / kRowsPerStrip;
}
HALFTONED_BOTH constexpr int StripsOf(int rows, int head) {
  return StripsOf(head) + (rows - head + kRowsPerCut - 1) / kRowsPerCut;
}
HALFTONED_BOTH constexpr int FirstRowOf(int strip, int head) {
  const int below = strip - StripsOf(head);
  return below < 0 ? strip * kRowsPerStrip : head + below * kRowsPerCut;
}
// The first row below a strip.
HALFTONED_BOTH constexpr int EndRowOf(int strip, int rows, int head) {
  const int below = strip + 1 - StripsOf(head);
  const int end =
      below < 0 ? (strip + 1) * kRowsPerStrip : head + below * kRowsPerCut;
  return end < rows ? end : rows;
}
// The lane that has the last of a strip's rows.
HALFTONED_BOTH constexpr int LastLane(int rows) {
  return (rows - 1) % kRowsPerWave;
}
// The pad of the states that a strip hands on.
HALFTONED_BOTH constexpr int PadBelow(int strip, int rows, int head) {
  return PadOf(LastLane(EndRowOf(strip, rows, head) - FirstRowOf(strip, head)));
}

}  // namespace halftoned::cuda::spread
