// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a pixel loader reads gray rows: in batches of 32 steps, in which a task
// is one 16-byte chunk of one row, and neighboring lanes take neighboring
// chunks. Rows are read in whole chunks from column 0 on. Each row is as many
// chunks behind as its lag has; the rest of the lag shifts the row in its ring,
// so that the row extends into the next batch by less than a chunk.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/lanes.h"
#include "halftone/gpu/common/samples.cuh"

namespace halftoned::cuda {

// The gray of `all_rows` rows, some of which can be missing. lag: the lag of a
// row, which grows equally between the rows of a lane's tasks. shares: the
// number of objects that share the rows.
template <Pixels pixels, int all_rows, int (*lag)(int row), int shares = 1>
class GrayChunks {
  using Gray = Samples<pixels>;

 public:
  static constexpr int kBatch = 32;  // steps
  static constexpr int kChunksPerRow = kBatch / Gray::kPerChunk;
  // Task i of a lane is in its first row + i·kRowsPerTask. From task to task,
  // its columns move back by as much as its lag grows.
  static constexpr int kRowsAtOnce = kLanes / kChunksPerRow;
  static constexpr int kRowsPerTask = kRowsAtOnce * shares;
  static constexpr int kTasks = all_rows / kRowsPerTask;
  static_assert(lag(kRowsPerTask) % Gray::kPerChunk == 0);

  // gray: row 0 of `rows` rows; row: the row of this lane's first task.
  __device__ GrayChunks(const std::byte* gray, int64_t pitch, int width,
                        int rows, int row)
      : gray_(gray + row * pitch),
        pitch_(pitch),
        width_(width),
        rows_(rows),
        row_(row),
        first_column_(threadIdx.x % kChunksPerRow * Gray::kPerChunk -
                      lag(row) / Gray::kPerChunk * Gray::kPerChunk) {}

  // Prefetches the pixels that a wavefront needs first, before its turn comes.
  __device__ void PrefetchStart() const {
    for (int column = 0; column < kPrefetchAhead; column += kPrefetchEvery) {
      Prefetch(column);
    }
  }

  // Loads the chunks of the batch at `step`, and prefetches pixels of later
  // batches.
  __device__ void Load(int step, uint4 (&chunks)[kTasks]) const {
#pragma unroll
    for (int i = 0; i < kTasks; ++i) {
      chunks[i] = make_uint4(0, 0, 0, 0);
      if (IsOnPage(step, i)) {
        chunks[i] = __ldg(reinterpret_cast<const uint4*>(
            At(ColumnOf(step, i), i * kRowsPerTask)));
      }
    }
  }
  __device__ void PrefetchFor(int step) const {
    if (step % kPrefetchEvery == 0) Prefetch(step + kPrefetchAhead);
  }

  // The column of the first pixel of a task's chunk.
  __device__ int ColumnOf(int step, int i) const {
    return step + first_column_ - i * lag(kRowsPerTask);
  }
  __device__ bool IsOnPage(int step, int i) const {
    return static_cast<uint32_t>(ColumnOf(step, i)) <
               static_cast<uint32_t>(width_) &&
           row_ + i * kRowsPerTask < rows_;
  }
  // Where in their rings the chunks of a lane's tasks go.
  __device__ int StepOf(int step) const {
    return step + first_column_ + lag(row_);
  }
  __device__ int width() const { return width_; }
  __device__ int row() const { return row_; }

 private:
  static constexpr int kPrefetchEvery = 128 / Gray::kBytes;  // steps
  static constexpr int kPrefetchAhead = 4 * kPrefetchEvery;

  __device__ const std::byte* At(int column, int row_below) const {
    return gray_ + static_cast<int64_t>(row_below) * pitch_ +
           static_cast<int64_t>(column) * Gray::kBytes;
  }

  // Brings a line of each row into L2, for Load to find it there.
  __device__ void Prefetch(int column) const {
    if (column >= width_) return;
#pragma unroll
    for (int row = 0; row < all_rows; row += kLanes) {
      const int mine = row + static_cast<int>(threadIdx.x % kLanes);
      if (mine < rows_) {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(At(column, mine - row_)));
      }
    }
  }

  const std::byte* const gray_;  // row_
  const int64_t pitch_;
  const int width_, rows_;
  const int row_;           // of this lane's first task
  const int first_column_;  // of that task at step 0
};

}  // namespace halftoned::cuda
