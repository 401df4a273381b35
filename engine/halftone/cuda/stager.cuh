// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stager: one warp that turns gray rows into terms, ahead of the
// wavefront. It works in batches of 32 steps; in a batch a task is one 16-byte
// chunk of one row, and neighbouring lanes take neighbouring chunks. Rows are
// read in whole chunks from column 0 on and lie in the ring shifted by their
// lag, so a row runs into the next batch by less than a chunk.
// Pixels of the next batch are loaded before those of this one are used.

#ifndef HALFTONED_HALFTONE_CUDA_STAGER_CUH_
#define HALFTONED_HALFTONE_CUDA_STAGER_CUH_

#include <cstdint>

#include "halftone/cuda/dawdler.cuh"
#include "halftone/cuda/samples.cuh"
#include "halftone/cuda/strip.cuh"

namespace halftoned::cuda {

template <Pixels pixels, bool chaos>
class Stager {
  using Of = Samples<pixels>;

 public:
  // sample_room: steps for whose samples their ring has room.
  __device__ Stager(Rings& rings, const Strip& strip, const int32_t* tone,
                    int sample_room, const Dawdler<chaos>& dawdler)
      : rings_(rings),
        strip_(strip),
        width_(strip.job->width),
        pitch_(strip.job->gray_pitch),
        tone_(tone),
        sample_room_(sample_room),
        dawdler_(dawdler),
        row_(RowOf(threadIdx.x % kLanes)),
        first_column_(threadIdx.x % kChunksPerRow * Of::kPerChunk -
                      LagOf(row_) / Of::kPerChunk * Of::kPerChunk),
        ring_(rings.terms[row_ % kRowsPerLane][row_ / kRowsPerLane]),
        gray_(strip.job->gray + (strip.first_row() + row_) * pitch_) {}

  __device__ __forceinline__ void Run() {
    // A strip's start is what the strip below waits for: all of it is near
    // before its turn comes.
    for (int column = 0; column < kPrefetchAhead; column += kPrefetchEvery) {
      Prefetch(column);
    }
    uint4 next[kTasks];
    Load(0, next);
    for (int step = 0; step < strip_.steps; step += kBatch) {
      uint4 now[kTasks];
#pragma unroll
      for (int i = 0; i < kTasks; ++i) now[i] = next[i];
      if (step % kPrefetchEvery == 0) Prefetch(step + kPrefetchAhead);
      Load(step + kBatch, next);
      dawdler_.Dawdle();
      WaitForRoom(step);
      rings_.stored.SleepUntil(step + kBatch - sample_room_, 100);
      StageAll<0>(step, now);
      rings_.staged.Publish(step / kBatch);
    }
    // What the last group loads of terms that do not matter.
    WaitForRoom(strip_.steps);
    rings_.staged.Publish(strip_.steps / kBatch);
  }

 private:
  static constexpr int kBatch = kStepsPerBatch;
  static constexpr int kChunksPerRow = kBatch / Of::kPerChunk;
  // Task i of a lane is in row row_ + i·kRowsAtOnce. From task to task its
  // columns go back by as much as its lag grows, so all its tasks go to the
  // same places of their rings.
  static constexpr int kRowsAtOnce = kLanes / kChunksPerRow;
  static constexpr int kTasks = kRowsPerStrip / kRowsAtOnce;
  static constexpr int kLagPerTask = LagOf(kRowsAtOnce);
  static_assert(kRowsAtOnce % kRowsPerLane == 0 &&
                kLagPerTask % Of::kPerChunk == 0);
  static constexpr int kPrefetchEvery = 128 / Of::kBytes;  // steps
  static constexpr int kPrefetchAhead = 4 * kPrefetchEvery;

  // Even rows in the first half of the warp, odd ones in the second: then each
  // half's 8-byte stores go to different banks.
  static __device__ int RowOf(int lane) {
    constexpr int kHalf = kLanes / 2;
    return lane % kHalf / kChunksPerRow * kRowsPerLane + lane / kHalf;
  }

  // For the batch at `step`. The wavefront has then done with the terms that it
  // writes over, and the entrant with the slot whose barrier it takes.
  __device__ void WaitForRoom(int step) const {
    rings_.walked.WaitBelow(step + kBatch + Of::kPerChunk - kTermRing);
  }

  __device__ int ColumnOf(int step, int i) const {
    return step + first_column_ - i * kLagPerTask;
  }

  __device__ bool IsOnPage(int step, int i) const {
    return static_cast<uint32_t>(ColumnOf(step, i)) <
               static_cast<uint32_t>(width_) &&
           row_ + i * kRowsAtOnce < strip_.rows;
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
    if (column >= width_) return;
#pragma unroll
    for (int row = 0; row < kRowsPerStrip; row += kLanes) {
      const int mine = row + static_cast<int>(threadIdx.x % kLanes);
      if (mine < strip_.rows) {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(At(column, mine - row_)));
      }
    }
  }

  template <int i>
  __device__ void StageAll(int step, const uint4 (&chunks)[kTasks]) {
    if constexpr (i < kTasks) {
      const bool entrants = i == 0 && row_ == 0;
      const int at = step + first_column_ + LagOf(row_);
      if (entrants) {
      } else if (Of::kBlackIsOutside || IsOnPage(step, i)) {
        StagePairs<i, 0>(at, chunks[i]);
      } else {
        StageOutside<i>(at);
      }
      StageAll<i + 1>(step, chunks);
    }
  }

  template <int i, int pair>
  __device__ void StagePairs(int at, const uint4& chunk) {
    if constexpr (pair < Of::kPerChunk / 2) {
      Store<i>(at + 2 * pair, Of::template PairOfTerms<pair>(chunk, tone_));
      StagePairs<i, pair + 1>(at, chunk);
    }
  }

  template <int i>
  __device__ void StageOutside(int at) {
    for (int pair = 0; pair < Of::kPerChunk; pair += 2) {
      Store<i>(at + pair, make_int2(kTermOutside, kTermOutside));
    }
  }

  // Lags are even, so a pair never straddles the ring's end.
  template <int i>
  __device__ void Store(int at, int2 terms) {
    int32_t* ring = ring_ + i * (kRowsAtOnce / kRowsPerLane) * kTermPitch;
    *reinterpret_cast<int2*>(&ring[at & (kTermRing - 1)]) = terms;
  }

  Rings& rings_;
  const Strip& strip_;
  const int width_;
  const int64_t pitch_;
  const int32_t* const tone_;
  const int sample_room_;
  Dawdler<chaos> dawdler_;
  const int row_;           // of this lane's first task
  const int first_column_;  // of that task at step 0
  int32_t* const ring_;
  const std::byte* const gray_;  // row_
};

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_STAGER_CUH_
