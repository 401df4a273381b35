// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The carry loader: one warp that waits for the states of the row above as
// another strip hands them on, and turns them into what the first wave's first
// lane gets from above. In a window of 32 columns, of which the first begins at
// column -1, each lane owns one.
//
// It alone waits for anything outside the block. If it is called off or its
// patience ends, it writes its verdict and takes missing states as those
// outside of the page: this strip and those below it then run to their ends
// without waiting.

#pragma once

#include <cstdint>

#include "halftone/gpu/common/handoff.cuh"
#include "halftone/gpu/common/patience.cuh"
#include "halftone/gpu/common/test_delay.cuh"
#include "halftone/gpu/spread/wave_strip.cuh"

namespace halftoned::cuda::spread {

template <class Method>
class CarryWordLoader {
 public:
  // outside: the word of a column that is not on the page.
  __device__ CarryWordLoader(StripRings& rings, const WaveStrip& strip,
                             uint32_t outside, const TestDelay& delay)
      : rings_(rings),
        strip_(strip),
        outside_(outside),
        lane_(threadIdx.x % kLanes),
        patience_(*strip.job),
        delay_(delay),
        left_(outside),
        left_left_(outside) {}

  __device__ void Run() {
    const int columns = strip_.steps(0);
    for (int first = -1; first < columns; first += kLanes) Enter(first);
    rings_.entered.Publish(RingCounter::kAll);
  }

 private:
  __device__ uint32_t LoadWord(int column) const {
    return Handoff::LoadIf(
        strip_.states_in != nullptr && column < strip_.job->width,
        strip_.states_in + column + strip_.pad_in, outside_);
  }

  // Publishes the window's columns from left to right as their words come.
  __device__ void Enter(int first) {
    const int column = first + lane_;
    int entered = 0;  // lanes
    while (entered < kLanes) {
      uint32_t word = LoadWord(column);
      const bool there = Handoff::IsThere(word);
      int upto = Handoff::LanesThere(there);
      if (upto == entered) {
        if (__shfl_sync(0xFFFFFFFFu, patience_.Lasts(), 0)) {
          if (first < 0 && entered == 0) __nanosleep(40);
          continue;
        }
        if (!there) word = outside_;
        upto = kLanes;
      }
      // Only now, so that the wait for room hides the wait for words. The ring
      // is long enough to sleep meanwhile.
      if (entered == 0) {
        rings_.waves[0].walked.SleepUntil(first + kLanes - kEntryRing, 200);
      }
      delay_.Pause();
      StoreEntry(column, word, lane_ >= entered && lane_ < upto);
      rings_.entered.Publish(first + upto);
      entered = upto;
      if (upto == kLanes) {
        left_ = __shfl_sync(0xFFFFFFFFu, word, kLanes - 1);
        left_left_ = __shfl_sync(0xFFFFFFFFu, word, kLanes - 2);
      }
    }
  }

  // Other states are a column ahead of the sum in whose word they come.
  __device__ void StoreEntry(int column, uint32_t word, bool is_due) {
    uint32_t left = __shfl_up_sync(0xFFFFFFFFu, word, 1);
    uint32_t left_left = __shfl_up_sync(0xFFFFFFFFu, word, 2);
    if (lane_ == 0) {
      left = left_;
      left_left = left_left_;
    }
    if (lane_ == 1) left_left = left_;
    if (!is_due || column < 0) return;
    rings_.waves[0].entries[column % kEntryRing] =
        Method::Enter(static_cast<int>(word & 0xFFFF), left_left >> 16,
                      left >> 16, word >> 16);
  }

  StripRings& rings_;
  const WaveStrip& strip_;
  const uint32_t outside_;
  const int lane_;
  Patience patience_;
  TestDelay delay_;
  uint32_t left_, left_left_;  // words of the columns left of the window
};

}  // namespace halftoned::cuda::spread
