// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The storer: one warp that takes samples behind the waves, shifts each row's
// lag out of them and writes rows of 16-byte blocks; lane l owns row l of each
// wave. In turn k a row writes its block k - c, c being its lag in blocks,
// rounded up, so that its samples are complete when the wave has done the steps
// of k blocks and one. It waits for no wave in particular, since a wave that
// has no room holds up the others.

#ifndef HALFTONED_HALFTONE_CUDA_SPREAD_STORER_CUH_
#define HALFTONED_HALFTONE_CUDA_SPREAD_STORER_CUH_

#include <cstdint>

#include "halftone/cuda/dawdler.cuh"
#include "halftone/cuda/sample_block.cuh"
#include "halftone/cuda/spread/strip.cuh"

namespace halftoned::cuda::spread {

template <int bits_per_sample, bool chaos>
class Storer {
 public:
  __device__ Storer(Rings& rings, const Strip& strip,
                    const Dawdler<chaos>& dawdler)
      : rings_(rings),
        strip_(strip),
        job_(*strip.job),
        dawdler_(dawdler),
        lane_(threadIdx.x % kLanes),
        row_bits_(job_.width * bits_per_sample),
        blocks_((row_bits_ + kBlock - 1) / kBlock) {}

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
        const int needed = (turn[wave] + 1) * kStepsPerBlock;
        if (!__all_sync(0xFFFFFFFFu, rings.walked.Reached() >= needed)) {
          continue;
        }
        is_idle = false;
        dawdler_.Dawdle();
        Store(wave, turn[wave]);
        // A row may still need what lies less than a block behind this one.
        rings.stored.Publish(++turn[wave] == Turns(wave)
                                 ? Progress::kAll
                                 : (turn[wave] - 1) * kStepsPerBlock);
      }
      if (is_idle && !is_done) __nanosleep(200);
    }
  }

 private:
  static constexpr int kBlock = kBitsPerBlock;
  static constexpr int kStepsPerBlock = kBlock / bits_per_sample;

  static __device__ int LagInBlocks(int lane) {
    return (LagOf(lane) * bits_per_sample + kBlock - 1) / kBlock;
  }
  __device__ int Turns(int wave) const {
    return blocks_ + LagInBlocks(strip_.rows_in(wave) - 1);
  }

  __device__ void Store(int wave, int turn) const {
    const int block = turn - LagInBlocks(lane_);
    if (lane_ >= strip_.rows_in(wave) || block < 0 || block >= blocks_) return;

    const uint32_t* ring = rings_.waves[wave].samples[lane_];
    const int start = block * kBlock + LagOf(lane_) * bits_per_sample;
    std::byte* bytes =
        job_.bits + (strip_.first_row(wave) + lane_) * job_.bits_pitch;
    reinterpret_cast<uint4*>(bytes)[block] =
        BlockOfSamples<kSampleRing>(ring, start, row_bits_ - block * kBlock);
  }

  Rings& rings_;
  const Strip& strip_;
  const BandJob& job_;
  Dawdler<chaos> dawdler_;
  const int lane_;
  const int row_bits_;
  const int blocks_;
};

}  // namespace halftoned::cuda::spread

#endif  // HALFTONED_HALFTONE_CUDA_SPREAD_STORER_CUH_
