// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a page lies on the GPU for the kernel that collects errors: a lane owns a
// pair of rows, and each row lags behind the one above. Plain numbers, for both
// host and device.
//
//   step t of a strip:   row 0 is at column t
//                        row 1 is at column t - 2      (the same lane)
//                        row 2 is at column t - 5      (the next lane)
//                        row 3 is at column t - 7 …
//
// A row must stay behind the row above by two columns, because a pixel needs
// the error above right. Within a lane, two columns are enough, because the
// error is in a register. Between lanes, the error goes through a shuffle, and
// a third column hides its latency.

#pragma once

#include <algorithm>
#include <bit>

#include "halftone/gpu/common/lanes.h"

namespace halftoned::cuda::collect {

inline constexpr int kRowsPerLane = 2;
inline constexpr int kRowsPerStrip = kLanes * kRowsPerLane;

inline constexpr int kRowLag = 2;   // columns from a lane's first to its second
inline constexpr int kLaneLag = 5;  // columns from lane to lane

// Columns by which `row` of a strip (0 … kRowsPerStrip - 1) is behind row 0.
HALFTONED_BOTH constexpr int LagOf(int row) {
  return row / kRowsPerLane * kLaneLag + row % kRowsPerLane * kRowLag;
}
inline constexpr int kMaxLag = LagOf(kRowsPerStrip - 1);

// States that are handed on together: 16 bytes.
inline constexpr int kStatesPerStore = 8;

// A row of states, as one strip leaves it for the next: 16-bit, the state of
// column j at index j + PadOf(row), so that eight steps, from a multiple of
// eight on, finish one aligned 16-byte store.
HALFTONED_BOTH constexpr int PadOf(int row) {
  return LagOf(row) % kStatesPerStore;
}
// The number of states for which a state row of `width` columns has room; a
// multiple of 8.
HALFTONED_BOTH constexpr int StatesPerRow(int width) {
  return (width + 6 * kStatesPerStore - 1) / kStatesPerStore * kStatesPerStore;
}

HALFTONED_BOTH constexpr int StripsOf(int rows) {
  return (rows + kRowsPerStrip - 1) / kRowsPerStrip;
}
// Blocks of a cluster for this many strips, a block each, where `largest` is
// possible; and blocks of a launch, which consists of whole clusters.
constexpr unsigned ClusterOf(unsigned strips, unsigned largest) {
  return std::min(std::bit_ceil(strips), largest);
}
constexpr unsigned InClusters(unsigned strips, unsigned cluster) {
  return (strips + cluster - 1) / cluster * cluster;
}
// The band's last row, counted within the band's last strip.
HALFTONED_BOTH constexpr int LastRowInStrip(int rows) {
  return (rows - 1) % kRowsPerStrip;
}

}  // namespace halftoned::cuda::collect
