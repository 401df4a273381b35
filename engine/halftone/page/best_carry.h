// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of the carry of `best`, at a row `n` that is a multiple of 16.
// The blocks of the second pass are 8 rows high: those of its first sweep begin
// at rows n + 4 and n + 12, those of the second at n and n + 8. Rows above n
// are therefore finished once the blocks around them are finished, which
// requires the gray up to row n + 35. The blocks of the next rows need gray,
// and the rows above them as the first pass and the first sweep left them.
//
// With more than two levels, a bit says which of the two levels around the
// value a pixel has, and its tone lies between these.
//
//   plane  a column's number holds
//   0, 1   sums and distances of `fine` at row n + 4
//   2      bits of the first pass, rows n − 4 … n + 3, the last in bit 0;
//          -1: the page begins here
//   3      bits after the first sweep, rows n − 8 … n + 3, likewise
//   4 … 7  tones of rows n − 8 … n − 1, the upper of two rows in the low byte
//
// A session that continues at row n receives the rows from n on again. The
// state at the end of a page is that at the start of a page.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/page/fine_table.h"
#include "halftone/page/levels.h"

namespace halftoned {

inline constexpr int kBestBlock = 8;  // rows and columns
inline constexpr int kBestStep = 2 * kBestBlock;
inline constexpr int kBestShift = 4;  // of the first sweep's blocks
inline constexpr int kBestScans = 2;  // of a block in each sweep
inline constexpr int kBestLookAhead = 36;
inline constexpr int16_t kBestNoPage = -1;

// Planes, and how many rows above and below n they contain.
inline constexpr size_t kBestFirstBits = 2;
inline constexpr size_t kBestSweptBits = 3;
inline constexpr size_t kBestTones = 4;
inline constexpr int kBestRowsAbove = 8;
inline constexpr int kBestRowsBelow = 4;

// The tone of a value, and the sample for each bit of a pixel with that value.
struct BestPixel {
  uint8_t tone;
  uint8_t sample[2];
};

constexpr BestPixel BestPixelOf(int v, const Levels& levels) {
  const Interval at = IntervalOf(v, levels.count);
  const auto lower = static_cast<size_t>(at.level);
  return {static_cast<uint8_t>(FineToneOf(at.value)),
          {levels.sample[lower], levels.sample[lower + 1]}};
}

}  // namespace halftoned
