// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The carry loader: one warp that completes the terms of a strip's first row.
// It waits for the states of the row above as another strip hands them on, and
// adds their share to the terms of row 0, so that the wavefront need not know
// about strips. In a window of 64 columns lane l owns columns 2l and 2l + 1.
//
// It alone waits for anything outside the block. If it is called off or its
// patience ends, it writes its verdict and takes all further errors as zero:
// this strip and those below it then run to their ends without waiting.

#pragma once

#include <cstdint>

#include "halftone/gpu/collect/term_strip.cuh"
#include "halftone/gpu/common/handoff.cuh"
#include "halftone/gpu/common/patience.cuh"
#include "halftone/gpu/common/samples.cuh"
#include "halftone/gpu/common/test_delay.cuh"

namespace halftoned::cuda::collect {

template <Pixels pixels>
class CarryTermLoader {
 public:
  __device__ CarryTermLoader(TermRings& rings, const TermStrip& strip,
                             const int32_t* tone, const TestDelay& delay)
      : rings_(rings),
        strip_(strip),
        tone_(tone),
        row_(strip.job->gray + strip.first_row() * strip.job->gray_pitch),
        lane_(threadIdx.x % kLanes),
        shift_(strip.pad_in % 2 == 0 ? 16 : 0),
        patience_(*strip.job),
        delay_(delay) {}

  __device__ __forceinline__ void Run() {
    uint32_t next = LoadPixels(0);
    for (int window = 0; window < strip_.steps; window += kWindow) {
      const int2 terms = Samples<pixels>::PairOfTerms(next, tone_);
      next = LoadPixels(window + kWindow);
      Enter(window, terms);
    }
    Publish(strip_.steps + kStepsPerEntry);
    if (strip_.is_fed_by_cluster) SeeTheRest();
  }

 private:
  static constexpr int kWindow = 2 * kLanes;
  static constexpr uint32_t kBothOutside = kStateOutside << 16 | kStateOutside;

  // This lane's two pixels of a window.
  __device__ uint32_t LoadPixels(int window) const {
    const int column = window + 2 * lane_;
    return column < strip_.job->width ? Samples<pixels>::LoadPair(row_, column)
                                      : 0;
  }

  // The word with the state of `column`. A lane's first column is even; a word
  // begins with an even or an odd column, depending on the pad.
  __device__ uint32_t LoadStates(int column) const {
    return Handoff::LoadIf(
        strip_.states_in != nullptr && column < strip_.job->width,
        strip_.states_in + (column + strip_.pad_in) / 2, kBothOutside);
  }

  // A block must not end while another still writes to its shared memory: this
  // also waits for the words left and right of the page, one per lane.
  __device__ void SeeTheRest() const {
    const int left = strip_.pad_in / 2;
    const int behind = (strip_.pad_in + strip_.job->width + 1) / 2;
    const int word = lane_ < left ? lane_ : behind + lane_ - left;
    while (!Handoff::IsThere(
        Handoff::LoadIf(word < strip_.words_in, strip_.states_in + word, 0))) {
    }
  }

  // Row 0 has its terms of the columns below.
  __device__ void Publish(int column) {
    constexpr int kEntriesPerBatch = kStepsPerBatch / kStepsPerEntry;
    for (; (slot_ + 1) * kStepsPerEntry <= column; ++slot_) {
      rings_.staged.Wait(slot_ / kEntriesPerBatch);
      delay_.Pause();
      rings_.entered.Publish(slot_);
    }
  }

  // Publishes the window's columns from left to right as their states come.
  __device__ void Enter(int window, int2 terms) {
    const int column = window + 2 * lane_;
    int entered = 0;  // lanes
    while (entered < kLanes) {
      uint32_t mine = LoadStates(column);
      uint32_t right = LoadStates(column + (shift_ == 0 ? 1 : 2));
      const bool there = Handoff::IsThere(mine) && Handoff::IsThere(right);
      int upto = Handoff::LanesThere(there);
      if (upto == entered) {
        // A block of this cluster never waits for anything outside it.
        if (strip_.is_fed_by_cluster ||
            __shfl_sync(0xFFFFFFFFu, patience_.Lasts(), 0)) {
          if (window == 0 && entered == 0) __nanosleep(40);
          continue;
        }
        if (!there) mine = right = kBothOutside;
        upto = kLanes;
      }
      // Only now, so that the wait for room hides the wait for states.
      if (entered == 0) rings_.walked.WaitBelow(window + kWindow - kTermRing);
      uint32_t left = __shfl_up_sync(0xFFFFFFFFu, mine, 1);
      if (lane_ == 0) left = left_of_window_;
      if (lane_ >= entered && lane_ < upto) {
        StoreTerms(column, terms, __funnelshift_l(left, mine, shift_),
                   __funnelshift_l(mine, right, shift_));
      }
      Publish(min(window + 2 * upto, strip_.steps));
      entered = upto;
      if (upto == kLanes) {
        left_of_window_ = __shfl_sync(0xFFFFFFFFu, mine, kLanes - 1);
      }
    }
  }

  // first_two and the following states: those of the columns from `column` - 1
  // on.
  __device__ void StoreTerms(int column, int2 terms, uint32_t first_two,
                             uint32_t last_two) {
    const int e0 = static_cast<int>(first_two & 0xFFFF);
    const int e1 = static_cast<int>(first_two >> 16);
    const int e2 = static_cast<int>(last_two & 0xFFFF);
    const int e3 = static_cast<int>(last_two >> 16);
    *reinterpret_cast<int2*>(&rings_.terms[0][0][column % kTermRing]) =
        make_int2(terms.x + e0 + 5 * e1 + 3 * e2,
                  terms.y + e1 + 5 * e2 + 3 * e3);
  }

  TermRings& rings_;
  const TermStrip& strip_;
  const int32_t* const tone_;
  const std::byte* const row_;
  const int lane_;
  const int shift_;  // bits, from words to pairs that begin left of a column
  Patience patience_;
  TestDelay delay_;
  uint32_t left_of_window_ = kBothOutside;
  int slot_ = 0;  // the next one to publish
};

}  // namespace halftoned::cuda::collect
