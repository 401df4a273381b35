// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The storer: one warp that takes samples behind the wavefront, shifts each
// row's lag out of them and writes rows of 16-byte blocks. Lane l owns rows 2l
// and 2l + 1, as in the wavefront. In turn k a row writes its block k - c, c
// being its lag in blocks, rounded up, so that its samples are complete when
// the wavefront has done the steps of k blocks and one.

#ifndef HALFTONED_HALFTONE_CUDA_STORER_CUH_
#define HALFTONED_HALFTONE_CUDA_STORER_CUH_

#include <cstdint>

#include "halftone/cuda/dawdler.cuh"
#include "halftone/cuda/sample_block.cuh"
#include "halftone/cuda/strip.cuh"

namespace halftoned::cuda {

template <int bits_per_sample, bool chaos>
class Storer {
 public:
  __device__ Storer(Rings& rings, const Strip& strip,
                    const Dawdler<chaos>& dawdler)
      : rings_(rings), strip_(strip), job_(*strip.job), dawdler_(dawdler) {}

  __device__ __forceinline__ void Run() {
    const int row_bits = job_.width * bits_per_sample;
    const int blocks = (row_bits + kBlock - 1) / kBlock;
    const int turns = blocks + LagInBlocks(strip_.last_row);
    for (int turn = 0; turn < turns; ++turn) {
      dawdler_.Dawdle();
      rings_.walked.WaitBelow(min((turn + 1) * kStepsPerBlock, strip_.steps));
      StoreRow<0>(turn, blocks, row_bits);
      StoreRow<1>(turn, blocks, row_bits);
      // A row may still need what lies less than a block behind this one.
      rings_.stored.Publish(turn * kStepsPerBlock);
    }
    rings_.stored.Publish(Progress::kAll);
  }

 private:
  static constexpr int kBlock = kBitsPerBlock;
  static constexpr int kStepsPerBlock = kBlock / bits_per_sample;

  static __device__ int LagInBlocks(int row) {
    return (LagOf(row) * bits_per_sample + kBlock - 1) / kBlock;
  }

  template <int row_of_lane>
  __device__ void StoreRow(int turn, int blocks, int row_bits) const {
    const int lane = threadIdx.x % kLanes;
    const int row = lane * kRowsPerLane + row_of_lane;
    const int block = turn - LagInBlocks(row);
    if (row >= strip_.rows || block < 0 || block >= blocks) return;

    const uint32_t* ring = rings_.samples[row_of_lane][lane];
    const int start = block * kBlock + LagOf(row) * bits_per_sample;
    std::byte* bytes = job_.bits + (strip_.first_row() + row) * job_.bits_pitch;
    reinterpret_cast<uint4*>(bytes)[block] =
        BlockOfSamples<kSampleRing>(ring, start, row_bits - block * kBlock);
  }

  Rings& rings_;
  const Strip& strip_;
  const BandJob& job_;
  Dawdler<chaos> dawdler_;
};

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_STORER_CUH_
