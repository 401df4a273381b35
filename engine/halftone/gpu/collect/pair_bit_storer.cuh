// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bit storer: one warp that takes samples behind the wavefront, shifts each
// row's lag out of them and writes rows of 16-byte blocks. Lane l owns the pair
// of rows 2l and 2l + 1, as in the wavefront.

#pragma once

#include "halftone/gpu/collect/term_strip.cuh"
#include "halftone/gpu/common/bit_rows.cuh"
#include "halftone/gpu/common/test_delay.cuh"

namespace halftoned::cuda::collect {

template <int bits_per_sample>
class PairBitStorer {
 public:
  __device__ PairBitStorer(TermRings& rings, const TermStrip& strip,
                           const TestDelay& delay)
      : rings_(rings), strip_(strip), bits_(*strip.job), delay_(delay) {}

  __device__ __forceinline__ void Run() {
    const int turns = bits_.Turns(strip_.last_row);
    for (int turn = 0; turn < turns; ++turn) {
      delay_.Pause();
      rings_.walked.WaitBelow(
          min((turn + 1) * Bits::kStepsPerBlock, strip_.steps));
      StoreRow<0>(turn);
      StoreRow<1>(turn);
      // A row may still need samples less than a block behind this one.
      rings_.stored.Publish(turn * Bits::kStepsPerBlock);
    }
    rings_.stored.Publish(RingCounter::kAll);
  }

 private:
  using Bits = BitRows<bits_per_sample, LagOf>;

  template <int row_of_lane>
  __device__ void StoreRow(int turn) const {
    const int lane = threadIdx.x % kLanes;
    const int row = lane * kRowsPerLane + row_of_lane;
    if (row >= strip_.rows) return;
    bits_.template Store<kSampleRing>(rings_.samples[row_of_lane][lane], row,
                                      strip_.first_row() + row, turn);
  }

  TermRings& rings_;
  const TermStrip& strip_;
  const Bits bits_;
  TestDelay delay_;
};

}  // namespace halftoned::cuda::collect
