// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wave: one warp that walks along its rows, lane l finishing column t - 3l at
// step t. The method decides pixels. This file has what all methods need: pixel
// words and samples in rings, what goes down a lane by shuffle, and the last
// row's states, which go to the next wave or, as words, to the next strip.
// There is no branch for the page's borders: pixels outside have a value that
// passes nothing on.
//
// A method has, all of one lane's row:
//   ParametersOf(recipe)         its numbers of a recipe, for the host
//   (tables, parameters, row)    a constructor; row: that of the page
//   kBits                        bits of a sample
//   kSumMark                     bits that a sum has when it is taken, and has
//                                not when it is passed
//   Nothing()                    passed from above before anything was
//   Enter(sum, o, o, o)          the same of a row handed on: the sum for a
//                                column, the other states left, above, right
//   Fetch<slot>(pixel)           what a pixel needs of tables, a while ahead
//   other()                      passed to the row below, two columns left of
//                                the pixel that is next
//   Step<slot>(pixel, above, packed)   finishes that pixel
//   sum()                        then passed to the same place
//   word()                       what is handed on of it (row_waves.h)

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/handoff.cuh"
#include "halftone/gpu/common/test_delay.cuh"
#include "halftone/gpu/spread/wave_strip.cuh"

namespace halftoned::cuda::spread {

template <class Method>
class Wave {
 public:
  __device__ Wave(StripRings& rings, const WaveStrip& strip, int wave,
                  const Method& method, const TestDelay& delay)
      : all_(rings),
        rings_(rings.waves[wave]),
        next_(rings.waves[(wave + 1) % kWaves]),
        strip_(strip),
        wave_(wave),
        is_last_(wave == strip.waves - 1),
        steps_(__shfl_sync(0xFFFFFFFFu, strip.steps(wave), 0)),
        lane_(ThisLane()),
        takes_sum_(lane_ == 0 ? Method::kSumMark : ~0u),
        takes_other_(lane_ == 0 ? 0 : ~0u),
        entries_at_(reinterpret_cast<const std::byte*>(
            lane_ == 0 ? rings_.entries : rings_.no_entries)),
        entries_mask_(lane_ == 0 ? sizeof(rings_.entries) - 1 : 0),
        gives_entries_(!is_last_ && lane_ == kLanes - 1),
        hands_on_(is_last_ && lane_ == strip.last_lane),
        delay_(delay),
        method_(method) {}

  __device__ void Run() {
    rings_.staged.SleepUntil(kWordsPerLoad, 100);
    LoadPixels(0, 0);
    method_.template Fetch<0>(pixels_[0]);
    method_.template Fetch<1>(pixels_[1]);
    above_ = before_ = Method::Nothing();
#pragma unroll 1
    for (int step = 0; step < steps_; step += kStepsPerGroup) {
      WaitFor(step + kStepsPerGroup);
      Group(step);
      rings_.walked.TrustAndPublish(step + kStepsPerGroup, lane_);
    }
    rings_.walked.Publish(RingCounter::kAll);
  }

 private:
  static constexpr int kWordsPerLoad = 4;
  static constexpr int kFetchAhead = 2;  // steps
  // Steps for whose samples their ring has room.
  static constexpr int kRoom = kSampleRing * 32 / Method::kBits;

  // Kept in a register: reading it again takes longer than a step allows.
  static __device__ int ThisLane() {
    int lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
  }

  // How far the wave may go: so far, there are pixels and entries, and room for
  // samples and for the next wave's entries. The compiler knows that it is the
  // same for all lanes.
  template <bool is_trusted>
  __device__ int Limit() const {
    const auto look = [](const RingCounter& counter) {
      return is_trusted ? counter.Reached() : counter.Peek();
    };
    const int entered = wave_ == 0
                            ? look(all_.entered)
                            : look(all_.waves[wave_ - 1].walked) - kWaveLag;
    const int room = is_last_ ? RingCounter::kAll
                              : look(next_.walked) + kWaveLag + kEntryRing;
    const int limit = min(min(look(rings_.staged) - kWordsPerLoad, entered),
                          min(look(rings_.stored) + kRoom, room));
    return __shfl_sync(0xFFFFFFFFu, limit, 0);
  }

  __device__ void WaitFor(int step) {
    // A wave that has not begun may wait long, and each look takes a turn at
    // shared memory from those that walk.
    const unsigned pause_ns = step == kStepsPerGroup ? 100 : 20;
    while (ready_ < step) {
      ready_ = Limit<true>();
      if (ready_ < step) __nanosleep(pause_ns);
    }
  }

  // All waves run the same code, although only the last one hands words on and
  // only the others pass on entries: two versions are too large for the
  // instruction cache. A4 on an H200: 2.13 ms with two versions, 1.73 with one.
  __device__ void Group(int step) {
    delay_.Pause();
    const auto* entries = reinterpret_cast<const Passed*>(
        entries_at_ +
        (static_cast<uint32_t>(step) * sizeof(Passed) & entries_mask_));
    Passed* next_entries =
        next_.entries + (step + kEntryRing - kWaveLag) % kEntryRing;
    uint8_t* samples = reinterpret_cast<uint8_t*>(rings_.samples[lane_]) +
                       step / 8 * Method::kBits % (kSampleRing * 4);
    uint32_t words[kWordsPerStore];
    uint32_t packed = 0;
    LoadEntries(0, entries);
#pragma unroll
    for (int k = 0; k < kStepsPerGroup; ++k) {
      // Four steps' pixels and two steps' entries are loaded ahead.
      if (k % kWordsPerLoad == 0) {
        LoadPixels((k / kWordsPerLoad + 1) % 2, step + k + kWordsPerLoad);
      }
      if (k % 2 == 0 && k + 2 < kStepsPerGroup) {
        LoadEntries(k / 2 + 1, entries + k + 2);
      }
      if (k == kStepsPerGroup - 2) ready_ = Limit<false>();
      Step(k, packed);
      words[k % kWordsPerStore] = method_.word();
      if (k % kWordsPerStore == kWordsPerStore - 1) {
        HandOn(step + k + 1 - kWordsPerStore, words);
      }
      if (gives_entries_) next_entries[k] = before_;
      before_ = below_;
      if (k % 8 == 7) StoreSamples(samples + k / 8 * Method::kBits, packed);
    }
  }

  __device__ void Step(int k, uint32_t& packed) {
    // The other states are there a step before they are needed.
    const uint32_t other = method_.other();
    const uint32_t next_other = __shfl_up_sync(0xFFFFFFFFu, other, 1);
    const Passed entry = entries_[k % 4];
    // From a lane comes a sum without its mark, with which no_entries differ
    // from all ones; from entries too.
    const Passed above = {
        (~(above_.sum ^ entry.sum) & takes_sum_) | (entry.sum & ~takes_sum_),
        (above_.other & takes_other_) | entry.other};
    const int32_t pixel = pixels_[k % (2 * kWordsPerLoad)];
    if (k % 2 == 0) {
      method_.template Step<0>(pixel, above, packed);
    } else {
      method_.template Step<1>(pixel, above, packed);
    }
    const uint32_t sum = method_.sum();
    above_ = {__shfl_up_sync(0xFFFFFFFFu, sum, 1), next_other};
    below_ = {sum, other};
    // Not before the shuffles, which would have to wait for it.
    const int32_t ahead = pixels_[(k + kFetchAhead) % (2 * kWordsPerLoad)];
    if (k % 2 == 0) {
      method_.template Fetch<0>(ahead);
    } else {
      method_.template Fetch<1>(ahead);
    }
  }

  // Loads four pixels, from a step on, into buffer 0 or 1.
  __device__ void LoadPixels(int buffer, int step) {
    const int4 four = *reinterpret_cast<const int4*>(
        &rings_.pixels[lane_][step % kPixelRing]);
    pixels_[4 * buffer] = four.x;
    pixels_[4 * buffer + 1] = four.y;
    pixels_[4 * buffer + 2] = four.z;
    pixels_[4 * buffer + 3] = four.w;
  }

  __device__ void LoadEntries(int pair, const Passed* from) {
    const uint4 two = *reinterpret_cast<const uint4*>(from);
    entries_[pair % 2 * 2] = {two.x, two.y};
    entries_[pair % 2 * 2 + 1] = {two.z, two.w};
  }

  __device__ void HandOn(int step, const uint32_t (&words)[kWordsPerStore]) {
    const int index =
        step - (LagOf(lane_) + kSumLag - 1) / kWordsPerStore * kWordsPerStore;
    if (!hands_on_ || index < 0) return;
    Handoff::Store(reinterpret_cast<uint16_t*>(strip_.states_out + index),
                   make_uint4(words[0], words[1], words[2], words[3]));
  }

  // The samples of eight steps: the first in the highest bits, bytes rising.
  static __device__ void StoreSamples(uint8_t* at, uint32_t packed) {
    if constexpr (Method::kBits == 1) {
      *at = static_cast<uint8_t>(packed);
    } else if constexpr (Method::kBits == 2) {
      *reinterpret_cast<uint16_t*>(at) =
          static_cast<uint16_t>(__byte_perm(packed, 0, 0x4401));
    } else {
      *reinterpret_cast<uint32_t*>(at) = __byte_perm(packed, 0, 0x0123);
    }
  }

  StripRings& all_;
  WaveRings& rings_;
  WaveRings& next_;
  const WaveStrip& strip_;
  const int wave_;
  const bool is_last_;
  const int steps_;
  const int lane_;
  const uint32_t takes_sum_, takes_other_;
  const std::byte* const entries_at_;
  const uint32_t entries_mask_;  // bytes
  const bool gives_entries_;
  const bool hands_on_;
  TestDelay delay_;
  int ready_ = 0;  // steps, as Limit says

  Method method_;
  int32_t pixels_[2 * kWordsPerLoad];
  Passed entries_[4];
  Passed above_, below_, before_;  // to be taken, given, given a step ago
};

}  // namespace halftoned::cuda::spread
