// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pixel loader: one warp that turns gray rows into terms, ahead of the
// wavefront. Pixels of the next batch are loaded before those of this one are
// used. Every other lane of the wavefront has rows with even lags, whose terms
// go to their rings in pairs; for the others the pairs are shifted by one.

#pragma once

#include <cstdint>

#include "halftone/gpu/collect/term_strip.cuh"
#include "halftone/gpu/common/gray_chunks.cuh"
#include "halftone/gpu/common/samples.cuh"
#include "halftone/gpu/common/test_delay.cuh"

namespace halftoned::cuda::collect {

template <Pixels pixels>
class PixelTermLoader {
  using Gray = Samples<pixels>;
  using Chunks = GrayChunks<pixels, kRowsPerStrip, LagOf, 2>;

 public:
  // sample_room: steps for whose samples their ring has room.
  __device__ PixelTermLoader(TermRings& rings, const TermStrip& strip,
                             const int32_t* tone, int sample_room,
                             const TestDelay& delay)
      : rings_(rings),
        steps_(strip.steps),
        tone_(tone),
        sample_room_(sample_room),
        delay_(delay),
        even_(RowsFrom(strip, RowOf(threadIdx.x % kLanes))),
        odd_(RowsFrom(strip, even_.row() + kRowsPerLane)) {}

  __device__ __forceinline__ void Run() {
    even_.PrefetchStart();
    uint4 next_even[Chunks::kTasks], next_odd[Chunks::kTasks];
    even_.Load(0, next_even);
    odd_.Load(0, next_odd);
    for (int step = 0; step < steps_; step += kBatch) {
      uint4 now_even[Chunks::kTasks], now_odd[Chunks::kTasks];
#pragma unroll
      for (int i = 0; i < Chunks::kTasks; ++i) {
        now_even[i] = next_even[i];
        now_odd[i] = next_odd[i];
      }
      even_.PrefetchFor(step);
      even_.Load(step + kBatch, next_even);
      odd_.Load(step + kBatch, next_odd);
      delay_.Pause();
      WaitForRoom(step);
      rings_.stored.SleepUntil(step + kBatch - sample_room_, 100);
      LoadAll<0, 0>(even_, step, now_even);
      LoadAll<1, 0>(odd_, step, now_odd);
      rings_.staged.Publish(step / kBatch);
    }
    // The last group also loads terms that do not matter.
    WaitForRoom(steps_);
    rings_.staged.Publish(steps_ / kBatch);
  }

 private:
  static constexpr int kBatch = kStepsPerBatch;
  static_assert(kBatch == Chunks::kBatch);
  static_assert(Chunks::kRowsPerTask % (2 * kRowsPerLane) == 0);
  static_assert(kRowLag % 2 == 0 && kLaneLag % 2 == 1);

  // A row of every other lane of the wavefront: first rows in the first half of
  // the warp, second rows in the second half, so that each half's 8-byte stores
  // go to different banks.
  static __device__ int RowOf(int lane) {
    constexpr int kHalf = kLanes / 2;
    return lane % kHalf / Chunks::kChunksPerRow * (2 * kRowsPerLane) +
           lane / kHalf;
  }
  static __device__ Chunks RowsFrom(const TermStrip& strip, int row) {
    const BandJob& job = *strip.job;
    return Chunks(job.gray + strip.first_row() * job.gray_pitch, job.gray_pitch,
                  job.width, strip.rows, row);
  }

  // For the batch at `step`. The wavefront has then finished with the terms
  // that this batch overwrites, and the carry loader with the slot whose
  // barrier it uses.
  __device__ void WaitForRoom(int step) const {
    rings_.walked.WaitBelow(step + kBatch + Gray::kPerChunk - kTermRing);
  }

  // is_odd: whether the rows' lags are odd.
  template <bool is_odd, int i>
  __device__ void LoadAll(const Chunks& gray, int step,
                          const uint4 (&chunks)[Chunks::kTasks]) {
    if constexpr (i < Chunks::kTasks) {
      const bool is_row_of_carry = !is_odd && i == 0 && gray.row() == 0;
      if (!is_row_of_carry) {
        int terms[Gray::kPerChunk];
        if (Gray::kBlackIsOutside || gray.IsOnPage(step, i)) {
          Convert<0>(chunks[i], terms);
        } else {
          for (int& term : terms) term = kTermOutside;
        }
        Store<is_odd, i>(gray, gray.StepOf(step), terms);
      }
      LoadAll<is_odd, i + 1>(gray, step, chunks);
    }
  }

  template <int pair>
  __device__ void Convert(const uint4& chunk, int (&terms)[Gray::kPerChunk]) {
    if constexpr (pair < Gray::kPerChunk / 2) {
      const int2 two = Gray::template PairOfTerms<pair>(chunk, tone_);
      terms[2 * pair] = two.x;
      terms[2 * pair + 1] = two.y;
      Convert<pair + 1>(chunk, terms);
    }
  }

  // In pairs at even places, which never straddle the ring's end.
  template <bool is_odd, int i>
  __device__ void Store(const Chunks& gray, int at,
                        const int (&terms)[Gray::kPerChunk]) {
    constexpr int kLast = Gray::kPerChunk - 1;
    const int row = gray.row() + i * Chunks::kRowsPerTask;
    int32_t* ring = rings_.terms[row % kRowsPerLane][row / kRowsPerLane];
    const auto place = [&](int k) { return &ring[(at + k) & (kTermRing - 1)]; };
    if (is_odd) *place(0) = terms[0];
#pragma unroll
    for (int k = is_odd; k < kLast; k += 2) {
      *reinterpret_cast<int2*>(place(k)) = make_int2(terms[k], terms[k + 1]);
    }
    if (is_odd) *place(kLast) = terms[kLast];
  }

  TermRings& rings_;
  const int steps_;
  const int32_t* const tone_;
  const int sample_room_;
  TestDelay delay_;
  const Chunks even_, odd_;  // rows, by their lags
};

}  // namespace halftoned::cuda::collect
