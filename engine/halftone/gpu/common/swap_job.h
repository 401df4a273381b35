// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The argument of the kernels of the second pass of `best`: a page's window of
// rows on the device, and the work to do there after a band's first pass. Plain
// data, passed by value.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/lanes.h"
#include "halftone/page/best_carry.h"
#include "halftone/page/best_table.h"

namespace halftoned::cuda {

// How far the sweeps' grids are shifted, in rows and in columns.
inline constexpr int kSweepShifts[] = {kBestShift, 0};
inline constexpr int kSweeps = int{sizeof(kSweepShifts) / sizeof(int)};
static_assert(kSweeps == kBestSweeps);
// The stages of a sweep: the even rows of blocks, then the odd ones.
inline constexpr int kSweepStages = 2 * kSweeps;

// Planes of a ring of rows. A row is in place row % rows, and begins at a
// multiple of 16 bytes. Tones have a byte per column. Tones and bits beyond the
// width are 0.
struct SwapWindow {
  std::byte* tones;
  std::byte* gray;               // 1: can be swapped
  std::byte* bits[kSweeps + 1];  // after the first pass and after each sweep
  uint32_t tone_pitch;           // a multiple of 16
  uint32_t bit_pitch;            // a multiple of 16
  int32_t rows;

  HALFTONED_BOTH int32_t Place(int64_t row) const {
    return static_cast<int32_t>(row % rows);
  }
};

// The planes of a carry of `best` that the second pass makes.
inline constexpr size_t kSwapPlanes =
    kBestTones + kBestRowsAbove / 2 - kBestFirstBits;

struct SwapJob {
  SwapWindow window;
  int32_t width;
  int32_t feedback;  // the strength of print feedback; 0: without
  int64_t top_row;   // the first row of the page in the window
  int64_t end_row;   // the end of the page, or a row below it

  // A band that the first pass has done: its rows enter the window. Its bits
  // enter from a row on, since a continued page already has some.
  const std::byte* gray;
  const std::byte* bits;
  const int32_t* tone;  // BandJob's, of `fine`
  uint32_t gray_pitch;
  uint32_t bit_pitch;
  bool deep;
  bool pure;  // whether black and white are pure
  int64_t first_row;
  int32_t rows;
  int64_t first_bits_row;

  // Then, stage by stage, this many rows of blocks from a row on, every other
  // one.
  struct Blocks {
    int64_t first_row;
    int32_t count;
    int32_t shift;  // of columns
  };
  Blocks stages[kSweepStages];

  // Then, if `carry` is not null, the state above this row: planes from
  // kBestFirstBits on.
  int64_t carry_row;
  int16_t* carry;
};

}  // namespace halftoned::cuda
