// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bit storer: one warp that takes samples behind the waves, shifts each
// row's lag out of them and writes rows of 16-byte blocks; lane l owns row l of
// each wave. It waits for no particular wave, because a wave without room
// delays the others.

#pragma once

#include "halftone/gpu/common/bit_rows.cuh"
#include "halftone/gpu/common/test_delay.cuh"
#include "halftone/gpu/spread/wave_strip.cuh"

namespace halftoned::cuda::spread {

template <int bits_per_sample>
class WaveBitStorer {
 public:
  __device__ WaveBitStorer(StripRings& rings, const WaveStrip& strip,
                           const TestDelay& delay)
      : rings_(rings),
        strip_(strip),
        bits_(*strip.job),
        delay_(delay),
        lane_(threadIdx.x % kLanes) {}

  __device__ void Run() {
    int turn[kWaves] = {};
    for (bool is_done = false; !is_done;) {
      is_done = true;
      bool is_idle = true;
#pragma unroll
      for (int wave = 0; wave < kWaves; ++wave) {
        if (wave >= strip_.waves || turn[wave] == Turns(wave)) continue;
        is_done = false;
        WaveRings& rings = rings_.waves[wave];
        const int needed = (turn[wave] + 1) * Bits::kStepsPerBlock;
        if (!__all_sync(0xFFFFFFFFu, rings.walked.Reached() >= needed)) {
          continue;
        }
        is_idle = false;
        delay_.Pause();
        Store(wave, turn[wave]);
        // A row may still need samples less than a block behind this one.
        rings.stored.Publish(++turn[wave] == Turns(wave)
                                 ? RingCounter::kAll
                                 : (turn[wave] - 1) * Bits::kStepsPerBlock);
      }
      if (is_idle && !is_done) __nanosleep(200);
    }
  }

 private:
  using Bits = BitRows<bits_per_sample, LagOf>;

  __device__ int Turns(int wave) const {
    return bits_.Turns(strip_.rows_in(wave) - 1);
  }

  __device__ void Store(int wave, int turn) const {
    if (lane_ >= strip_.rows_in(wave)) return;
    bits_.template Store<kSampleRing>(rings_.waves[wave].samples[lane_], lane_,
                                      strip_.first_row(wave) + lane_, turn);
  }

  StripRings& rings_;
  const WaveStrip& strip_;
  const Bits bits_;
  TestDelay delay_;
  const int lane_;
};

}  // namespace halftoned::cuda::spread
