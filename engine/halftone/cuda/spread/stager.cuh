// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stager: one warp that turns a wave's gray rows into pixel words, ahead of
// it. It works in batches of 32 steps; in a batch a task is one 16-byte chunk
// of one row, and neighbouring lanes take neighbouring chunks. Rows are read in
// whole chunks from column 0 on and lie in the ring shifted by their lag, so a
// row runs into the next batch by less than a chunk.
// Pixels of the next batch are loaded before those of this one are used.

#ifndef HALFTONED_HALFTONE_CUDA_SPREAD_STAGER_CUH_
#define HALFTONED_HALFTONE_CUDA_SPREAD_STAGER_CUH_

#include <cstdint>

#include "halftone/cuda/dawdler.cuh"
#include "halftone/cuda/samples.cuh"
#include "halftone/cuda/spread/strip.cuh"

namespace halftoned::cuda::spread {

template <Pixels pixels, bool chaos>
class Stager {
  using Of = Samples<pixels>;

 public:
  // tone: the table of pixel words; outside: that of a pixel off the page.
  __device__ Stager(WaveRings& rings, const Strip& strip, int wave,
                    const int32_t* tone, int32_t outside,
                    const Dawdler<chaos>& dawdler)
      : rings_(rings),
        width_(strip.job->width),
        rows_(strip.rows_in(wave)),
        steps_(strip.steps(wave)),
        pitch_(strip.job->gray_pitch),
        tone_(tone),
        outside_(outside),
        dawdler_(dawdler),
        row_(threadIdx.x % kLanes / kChunksPerRow),
        first_column_(threadIdx.x % kChunksPerRow * Of::kPerChunk -
                      row_ * kLag / Of::kPerChunk * Of::kPerChunk),
        gray_(strip.job->gray + (strip.first_row(wave) + row_) * pitch_) {}

  __device__ void Run() {
    // A wave's start is what the wave below waits for: all of it is near before
    // its turn comes.
    for (int column = 0; column < kPrefetchAhead; column += kPrefetchEvery) {
      Prefetch(column);
    }
    uint4 next[kTasks];
    Load(0, next);
    for (int step = 0; step < steps_; step += kBatch) {
      uint4 now[kTasks];
#pragma unroll
      for (int i = 0; i < kTasks; ++i) now[i] = next[i];
      if (step % kPrefetchEvery == 0) Prefetch(step + kPrefetchAhead);
      Load(step + kBatch, next);
      dawdler_.Dawdle();
      const int room_from = step + kBatch + Of::kPerChunk - kPixelRing;
      if (room_from > 0) rings_.walked.SleepUntil(1, 200);  // its turn
      rings_.walked.SleepUntil(room_from, 100);
#pragma unroll
      for (int i = 0; i < kTasks; ++i) Stage(step, i, now[i]);
      rings_.staged.Publish(step + kBatch);
    }
    rings_.staged.Publish(Progress::kAll);
  }

 private:
  static constexpr int kBatch = 32;  // steps
  static constexpr int kChunksPerRow = kBatch / Of::kPerChunk;
  // Task i of a lane is in row row_ + i·kRowsAtOnce. From task to task its
  // columns go back by as much as its lag grows.
  static constexpr int kRowsAtOnce = kLanes / kChunksPerRow;
  static constexpr int kTasks = kRowsPerWave / kRowsAtOnce;
  static constexpr int kLagPerTask = kRowsAtOnce * kLag;
  static_assert(kLagPerTask % Of::kPerChunk == 0);
  static constexpr int kPrefetchEvery = 128 / Of::kBytes;  // steps
  static constexpr int kPrefetchAhead = 4 * kPrefetchEvery;

  __device__ int ColumnOf(int step, int i) const {
    return step + first_column_ - i * kLagPerTask;
  }

  __device__ bool IsOnPage(int step, int i) const {
    return static_cast<uint32_t>(ColumnOf(step, i)) <
               static_cast<uint32_t>(width_) &&
           row_ + i * kRowsAtOnce < rows_;
  }

  __device__ const std::byte* At(int column, int row_below) const {
    return gray_ + static_cast<int64_t>(row_below) * pitch_ +
           static_cast<int64_t>(column) * Of::kBytes;
  }

  __device__ void Load(int step, uint4 (&chunks)[kTasks]) const {
#pragma unroll
    for (int i = 0; i < kTasks; ++i) {
      chunks[i] = make_uint4(0, 0, 0, 0);
      if (IsOnPage(step, i)) {
        chunks[i] = __ldg(reinterpret_cast<const uint4*>(
            At(ColumnOf(step, i), i * kRowsAtOnce)));
      }
    }
  }

  // Brings a line of each row into L2, for Load to find it there.
  __device__ void Prefetch(int column) const {
    const int mine = static_cast<int>(threadIdx.x % kLanes);
    if (column >= width_ || mine >= rows_) return;
    asm volatile("prefetch.global.L2 [%0];" ::"l"(At(column, mine - row_)));
  }

  // Columns right of the page may share a chunk with others.
  __device__ void Stage(int step, int i, const uint4& chunk) {
    const int left = IsOnPage(step, i) ? width_ - ColumnOf(step, i) : 0;
    const int row = row_ + i * kRowsAtOnce;
    StagePairs<0>(rings_.pixels[row], step + first_column_ + row_ * kLag, left,
                  chunk);
  }

  template <int pair>
  __device__ void StagePairs(int32_t* ring, int at, int left,
                             const uint4& chunk) {
    if constexpr (pair < Of::kPerChunk / 2) {
      const int2 words = Of::template PairOfTerms<pair>(chunk, tone_);
      constexpr int kFirst = 2 * pair;
      ring[(at + kFirst) & (kPixelRing - 1)] =
          kFirst < left ? words.x : outside_;
      ring[(at + kFirst + 1) & (kPixelRing - 1)] =
          kFirst + 1 < left ? words.y : outside_;
      StagePairs<pair + 1>(ring, at, left, chunk);
    }
  }

  WaveRings& rings_;
  const int width_, rows_, steps_;
  const int64_t pitch_;
  const int32_t* const tone_;
  const int32_t outside_;
  Dawdler<chaos> dawdler_;
  const int row_;                // of this lane's first task
  const int first_column_;       // of that task at step 0
  const std::byte* const gray_;  // row_
};

}  // namespace halftoned::cuda::spread

#endif  // HALFTONED_HALFTONE_CUDA_SPREAD_STAGER_CUH_
