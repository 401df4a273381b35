// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of a page of `best` on the GPU: its window of rows, which is
// a ring on the device, and the work after each band. Rows enter the window as
// the first pass makes them, and are swept as far as the answers need it. The
// window therefore holds a band, and the rows above it that the blocks below
// the last answer still need.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/gpu/common/swap_job.h"
#include "halftone/gpu/host/gpu.h"
#include "halftone/page/carry.h"
#include "halftone/run/valid_order.h"

namespace halftoned::cuda {

class SecondPass {
 public:
  // Bytes of memory for a page, on the device and on the host (pinned).
  static size_t DeviceBytes(const ValidOrder& order);
  static size_t HostBytes(const ValidOrder& order);
  // Bytes of the planes that a carry gets from the second pass.
  static size_t PlaneBytes(const ValidOrder& order);

  // Memory of those sizes.
  SecondPass(const ValidOrder& order, std::byte* device, std::byte* host);

  // The first row whose bits are not in the carry.
  int64_t first_pass_row() const { return first_pass_row_; }

  // The parts of the carry to copy up before the first job.
  std::vector<gpu::Rows> RowsAbove(const Carry& above) const;

  // The job of the next band, without its gray and its bits. The band's rows
  // end at `end_row` of the page. The job finishes the rows above end_done.
  // is_last: these are all rows.
  SwapJob Next(int64_t end_row, int64_t end_done, bool is_last);

  // Copies of finished rows into memory of the host, whose rows have row_bytes
  // bytes and are contiguous.
  std::vector<gpu::Rows> Answer(int64_t first_row, int64_t end_row,
                                std::byte* to, size_t row_bytes) const;
  // The planes that the last job made, PlaneBytes bytes; and copies them into a
  // carry.
  const std::byte* planes() const { return planes_; }
  static void ReadPlanes(const std::byte* planes, Carry& carry);

 private:
  // Rows that lie in the window one behind the other.
  struct Piece {
    int64_t first_row;
    int64_t end_row;
  };
  std::vector<Piece> PiecesOf(int64_t first_row, int64_t end_row) const;
  int64_t EndOf(int stage, int64_t end_done) const;

  const int32_t width_;
  const int32_t feedback_;
  std::byte* const host_;
  SwapWindow window_{};
  std::byte* planes_;
  int64_t top_row_;
  int64_t first_pass_row_;
  int64_t finished_;                        // rows above it are
  std::array<int64_t, kSweepStages> next_;  // rows of blocks
};

}  // namespace halftoned::cuda
