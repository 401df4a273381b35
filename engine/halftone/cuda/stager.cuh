// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stager: one warp that turns gray rows into terms, ahead of the
// wavefront. Pixels of the next batch are loaded before those of this one are
// used.

#ifndef HALFTONED_HALFTONE_CUDA_STAGER_CUH_
#define HALFTONED_HALFTONE_CUDA_STAGER_CUH_

#include <cstdint>

#include "halftone/cuda/dawdler.cuh"
#include "halftone/cuda/gray_chunks.cuh"
#include "halftone/cuda/samples.cuh"
#include "halftone/cuda/strip.cuh"

namespace halftoned::cuda {

template <Pixels pixels, bool chaos>
class Stager {
  using Of = Samples<pixels>;
  using Chunks = GrayChunks<pixels, kRowsPerStrip, LagOf>;

 public:
  // sample_room: steps for whose samples their ring has room.
  __device__ Stager(Rings& rings, const Strip& strip, const int32_t* tone,
                    int sample_room, const Dawdler<chaos>& dawdler)
      : rings_(rings),
        steps_(strip.steps),
        tone_(tone),
        sample_room_(sample_room),
        dawdler_(dawdler),
        gray_(strip.job->gray + strip.first_row() * strip.job->gray_pitch,
              strip.job->gray_pitch, strip.job->width, strip.rows,
              RowOf(threadIdx.x % kLanes)),
        ring_(rings.terms[gray_.row() % kRowsPerLane]
                         [gray_.row() / kRowsPerLane]) {}

  __device__ __forceinline__ void Run() {
    gray_.PrefetchStart();
    uint4 next[Chunks::kTasks];
    gray_.Load(0, next);
    for (int step = 0; step < steps_; step += kBatch) {
      uint4 now[Chunks::kTasks];
#pragma unroll
      for (int i = 0; i < Chunks::kTasks; ++i) now[i] = next[i];
      gray_.PrefetchFor(step);
      gray_.Load(step + kBatch, next);
      dawdler_.Dawdle();
      WaitForRoom(step);
      rings_.stored.SleepUntil(step + kBatch - sample_room_, 100);
      StageAll<0>(step, now);
      rings_.staged.Publish(step / kBatch);
    }
    // What the last group loads of terms that do not matter.
    WaitForRoom(steps_);
    rings_.staged.Publish(steps_ / kBatch);
  }

 private:
  static constexpr int kBatch = kStepsPerBatch;
  static_assert(kBatch == Chunks::kBatch);
  static_assert(Chunks::kRowsAtOnce % kRowsPerLane == 0);

  // Even rows in the first half of the warp, odd ones in the second: then each
  // half's 8-byte stores go to different banks.
  static __device__ int RowOf(int lane) {
    constexpr int kHalf = kLanes / 2;
    return lane % kHalf / Chunks::kChunksPerRow * kRowsPerLane + lane / kHalf;
  }

  // For the batch at `step`. The wavefront has then done with the terms that it
  // writes over, and the entrant with the slot whose barrier it takes.
  __device__ void WaitForRoom(int step) const {
    rings_.walked.WaitBelow(step + kBatch + Of::kPerChunk - kTermRing);
  }

  template <int i>
  __device__ void StageAll(int step, const uint4 (&chunks)[Chunks::kTasks]) {
    if constexpr (i < Chunks::kTasks) {
      const bool entrants = i == 0 && gray_.row() == 0;
      const int at = gray_.StepOf(step);
      if (entrants) {
      } else if (Of::kBlackIsOutside || gray_.IsOnPage(step, i)) {
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
    int32_t* ring =
        ring_ + i * (Chunks::kRowsAtOnce / kRowsPerLane) * kTermPitch;
    *reinterpret_cast<int2*>(&ring[at & (kTermRing - 1)]) = terms;
  }

  Rings& rings_;
  const int steps_;
  const int32_t* const tone_;
  const int sample_room_;
  Dawdler<chaos> dawdler_;
  const Chunks gray_;
  int32_t* const ring_;  // of the first task's row
};

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_STAGER_CUH_
