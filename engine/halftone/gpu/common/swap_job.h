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

// The sweeps' grids are shifted by so much, in rows and in columns.
inline constexpr int kSweepShifts[] = {kBestShift, 0};
inline constexpr int kSweeps = int{sizeof(kSweepShifts) / sizeof(int)};
static_assert(kSweeps == kBestSweeps);
// The stages of a sweep: the even rows of blocks, then the odd ones.
inline constexpr int kSweepStages = 2 * kSweeps;

// Planes of a ring of rows, each in place row % rows, from a multiple of 16
// bytes on. Tones have a byte per column, and 0 beyond the width, as bits have.
struct SwapWindow {
  std::byte* tones;
  std::byte* gray;               // 1: may be swapped
  std::byte* bits[kSweeps + 1];  // after the first pass and after each sweep
  uint32_t tone_pitch;           // a multiple of 16
  uint32_t bit_pitch;            // a multiple of 16
  int32_t rows;

  HALFTONED_BOTH int32_t Place(int64_t row) const {
    return static_cast<int32_t>(row % rows);
  }
};

// Planes of a carry of `best` that the second pass makes.
inline constexpr size_t kSwapPlanes =
    kBestTones + kBestRowsAbove / 2 - kBestFirstBits;

struct SwapJob {
  SwapWindow window;
  int32_t width;
  int32_t feedback;  // the strength of print feedback; 0: without
  int64_t top_row;   // the first that the window has of the page
  int64_t end_row;   // of the page, or further down

  // A band that the first pass has done: its rows come into the window. Bits
  // from a row on, since a page that goes on has some.
  const std::byte* gray;
  const std::byte* bits;
  const int32_t* tone;  // BandJob's, of `fine`
  uint32_t gray_pitch;
  uint32_t bit_pitch;
  bool deep;
  bool pure;  // whether black and white are
  int64_t first_row;
  int32_t rows;
  int64_t first_bits_row;

  // Then, stage by stage, so many rows of blocks from a row on, every other.
  struct Blocks {
    int64_t first_row;
    int32_t count;
    int32_t shift;  // of columns
  };
  Blocks stages[kSweepStages];

  // Then the state above this row, if `carry` is not null: planes from
  // kBestFirstBits on.
  int64_t carry_row;
  int16_t* carry;
};

}  // namespace halftoned::cuda
