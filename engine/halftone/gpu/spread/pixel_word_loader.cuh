// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pixel loader: one warp that turns a wave's gray rows into pixel words,
// ahead of it. Pixels of the next batch are loaded before those of this one are
// used.

#pragma once

#include <cstdint>

#include "halftone/gpu/common/gray_chunks.cuh"
#include "halftone/gpu/common/samples.cuh"
#include "halftone/gpu/common/test_delay.cuh"
#include "halftone/gpu/spread/wave_strip.cuh"

namespace halftoned::cuda::spread {

template <Pixels pixels>
class PixelWordLoader {
  using Gray = Samples<pixels>;
  using Chunks = GrayChunks<pixels, kRowsPerWave, LagOf>;

 public:
  // tone: the table of pixel words; outside: the word of a pixel off the page.
  __device__ PixelWordLoader(WaveRings& rings, const WaveStrip& strip, int wave,
                             const int32_t* tone, int32_t outside,
                             const TestDelay& delay)
      : rings_(rings),
        steps_(strip.steps(wave)),
        tone_(tone),
        outside_(outside),
        delay_(delay),
        gray_(strip.job->gray + strip.first_row(wave) * strip.job->gray_pitch,
              strip.job->gray_pitch, strip.job->width, strip.rows_in(wave),
              threadIdx.x % kLanes / Chunks::kChunksPerRow) {}

  __device__ void Run() {
    gray_.PrefetchStart();
    uint4 next[Chunks::kTasks];
    gray_.Load(0, next);
    for (int step = 0; step < steps_; step += Chunks::kBatch) {
      uint4 now[Chunks::kTasks];
#pragma unroll
      for (int i = 0; i < Chunks::kTasks; ++i) now[i] = next[i];
      gray_.PrefetchFor(step);
      gray_.Load(step + Chunks::kBatch, next);
      delay_.Pause();
      const int room_from =
          step + Chunks::kBatch + Gray::kPerChunk - kPixelRing;
      if (room_from > 0) rings_.walked.SleepUntil(1, 200);  // its turn
      rings_.walked.SleepUntil(room_from, 100);
#pragma unroll
      for (int i = 0; i < Chunks::kTasks; ++i) LoadChunk(step, i, now[i]);
      rings_.staged.Publish(step + Chunks::kBatch);
    }
    rings_.staged.Publish(RingCounter::kAll);
  }

 private:
  // Columns right of the page may share a chunk with others.
  __device__ void LoadChunk(int step, int i, const uint4& chunk) {
    const int left =
        gray_.IsOnPage(step, i) ? gray_.width() - gray_.ColumnOf(step, i) : 0;
    const int row = gray_.row() + i * Chunks::kRowsAtOnce;
    LoadPairs<0>(rings_.pixels[row], gray_.StepOf(step), left, chunk);
  }

  template <int pair>
  __device__ void LoadPairs(int32_t* ring, int at, int left,
                            const uint4& chunk) {
    if constexpr (pair < Gray::kPerChunk / 2) {
      const int2 words = Gray::template PairOfTerms<pair>(chunk, tone_);
      constexpr int kFirst = 2 * pair;
      ring[(at + kFirst) & (kPixelRing - 1)] =
          kFirst < left ? words.x : outside_;
      ring[(at + kFirst + 1) & (kPixelRing - 1)] =
          kFirst + 1 < left ? words.y : outside_;
      LoadPairs<pair + 1>(ring, at, left, chunk);
    }
  }

  WaveRings& rings_;
  const int steps_;
  const int32_t* const tone_;
  const int32_t outside_;
  TestDelay delay_;
  const Chunks gray_;
};

}  // namespace halftoned::cuda::spread
