// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wavefront: one warp walks along a strip. Lane l owns rows 2l and 2l + 1;
// at step t it finishes column t - 5l of the one and t - 5l - 2 of the other.
// Terms come from shared memory and samples go there; the states of a lane's
// rows stay in registers, what the lane below needs of them goes by shuffle,
// and the last row's states are handed to the next strip.
//
// Per pixel, E being the state, `from_above` the row above's weighted states:
//
//   p  = 7·E + from_above + term            IMAD        the chain: 14 cycles
//   z  = (p >> 4) + 16                      LEA.HI
//   E' = umin(z + 4080, z)                  VIADDMNMX   (two levels)
//   packed = packed·2 + sign of z           SHF
//
// where from_above = E[j-1] + 5·E[j] + 3·E[j+1] is another three IMAD, or two
// and an addition; and for each pair of rows one shuffle, of states, since a
// weighted sum would come later: 15 instructions a step, and four more for
// loads, stores and waits. The instructions determine the time of a step: with
// exact floating-point multiplications, for which there are twice as many
// units, it is no faster.

#pragma once

#include <cstdint>

#include "halftone/gpu/collect/term_strip.cuh"
#include "halftone/gpu/common/handoff.cuh"
#include "halftone/gpu/common/test_delay.cuh"

namespace halftoned::cuda::collect {

// Which borders of the page the lanes may meet in a group of steps.
enum class Border {
  kNone,
  kLeft,   // some lane may still be left of column 0
  kRight,  // some lane may be right of the last column
  kBoth,   // both can occur: on narrow pages
};

template <class Levels>
class Wavefront {
 public:
  __device__ Wavefront(TermRings& rings, const TermStrip& strip,
                       const TestDelay& delay)
      : rings_(rings),
        strip_(strip),
        lane_(threadIdx.x % kLanes),
        delay_(delay),
        share_(Opaque(lane_ == 0 ? 0 : 1)),
        three_shares_(3 * share_),
        five_shares_(5 * share_),
        hands_on_(lane_ == strip.last_row / kRowsPerLane) {
    Reset();
  }

  __device__ __forceinline__ void Run() {
    if (strip_.last_row % kRowsPerLane == 0) {
      RunHandingOn<0>();
    } else {
      RunHandingOn<1>();
    }
  }

 private:
  // Steps that are unrolled. At the left border, the compiler knows each lane's
  // column, and so which lanes are on the page, if a group is a multiple of the
  // lag between lanes.
  static HALFTONED_BOTH constexpr int GroupOf(Border border) {
    return border == Border::kLeft ? 40 : border == Border::kNone ? 32 : 16;
  }
  // Steps after which another kind of group may follow.
  static HALFTONED_BOTH constexpr int TurnOf(Border border) {
    return border == Border::kLeft ? 80 : GroupOf(border);
  }
  static constexpr int kLeftSteps = (kMaxLag + TurnOf(Border::kLeft) - 1) /
                                    TurnOf(Border::kLeft) *
                                    TurnOf(Border::kLeft);
  static_assert(GroupOf(Border::kLeft) % kLaneLag == 0);
  static_assert(kLeftSteps % GroupOf(Border::kNone) == 0);
  // How many steps before it needs terms the wavefront looks for them.
  static constexpr int kLookAhead = 2;
  // Steps from the sending of a state to its first use by the lane below.
  static constexpr int kShareDelay = kLaneLag - kRowLag - 1;

  // No errors anywhere.
  __device__ void Reset() {
#pragma unroll
    for (int& state : above_) state = kStateOutside;
    a0_ = a1_ = a2_ = b0_ = kStateOutside;
  }

  template <int row_handed_on>
  __device__ void RunHandingOn() {
    const int width = strip_.job->width;
    rings_.entered.Wait(0);
    LoadTerms(0, TermsFrom(0));
    int step = Walk<Border::kLeft, row_handed_on>(0, min(kLeftSteps, width));
    if (step == kLeftSteps) {
      step = Walk<Border::kNone, row_handed_on>(step, width);
      Walk<Border::kRight, row_handed_on>(step, strip_.steps);
    } else {
      Walk<Border::kBoth, row_handed_on>(step, strip_.steps);
    }
  }

  // Does as many turns as end before `end`; returns where the last one ends.
  template <Border border, int row_handed_on>
  __device__ int Walk(int step, int end) {
    constexpr int kTurn = TurnOf(border);
#pragma unroll 1
    for (; step + kTurn <= end; step += kTurn) {
#pragma unroll 1
      for (int done = 0; done < kTurn; done += GroupOf(border)) {
        Group<border, row_handed_on>(step + done);
      }
    }
    return step;
  }

  template <Border border, int row_handed_on>
  __device__ void Group(int step) {
    constexpr int kSteps = GroupOf(border);
    // No ring ends within the group.
    constexpr bool is_in_one_piece = border != Border::kLeft;
    const int32_t* terms = TermsFrom(step);
    uint8_t* samples = SamplesFrom(step);
    delay_.Pause();
    uint16_t* states_out = strip_.states_out + IndexOf(step);
    uint32_t states[kStatesPerStore];
    uint32_t packed[kRowsPerLane] = {0, 0};
#pragma unroll
    for (int k = 0; k < kSteps; ++k) {
      if ((k + kTermsPerLoad) % kStepsPerEntry == 0 && !has_entered_) {
        rings_.entered.Wait((step + k + kTermsPerLoad) / kStepsPerEntry);
      }
      // Four steps' terms are loaded while the four before are walked.
      if (k % kTermsPerLoad == 0) {
        constexpr int kAhead = kTermsPerLoad;
        LoadTerms(k / kTermsPerLoad % 2 ^ 1,
                  is_in_one_piece && k + kAhead < kSteps
                      ? terms + k + kAhead
                      : TermsFrom(step + k + kAhead));
      }
      if ((k + kTermsPerLoad + kLookAhead) % kStepsPerEntry == 0) {
        has_entered_ = rings_.entered.IsDone(
            (step + k + kTermsPerLoad + kLookAhead) / kStepsPerEntry);
      }
      Step<border>(step, k, packed);
      states[k % kStatesPerStore] =
          static_cast<uint32_t>(row_handed_on == 0 ? a0_ : b0_);
      if (k % kStatesPerStore == kStatesPerStore - 1) {
        const int first = k + 1 - kStatesPerStore;
        if (hands_on_ &&
            (border == Border::kNone || IndexOf(step) + first >= 0)) {
          HandOn(states_out + first, states);
        }
      }
      if (k % 8 == 7) {
        constexpr int kBits = Levels::kBits;
        StoreSamples(
            is_in_one_piece ? samples + k / 8 * kBits : SamplesFrom(step + k),
            packed);
      }
      if (is_in_one_piece) {
        if ((k + 1) % kStepsPerWalk == 0) {
          rings_.walked.Publish((step + k) / kStepsPerWalk);
        }
      } else if (k % 8 == 7) {
        rings_.walked.PublishIf((step + k + 1) % kStepsPerWalk == 0,
                                (step + k) / kStepsPerWalk);
      }
    }
  }

  template <Border border>
  __device__ void Step(int step, int k, uint32_t (&packed)[kRowsPerLane]) {
    const int column_a = step + k - lane_ * kLaneLag;
    const int column_b = column_a - kRowLag;

    // The share of the row above in row a, of row a in row b; then the state
    // of a moves on by one column.
    const auto term = [&](int row) {
      return terms_[k / kTermsPerLoad % 2][row][k % kTermsPerLoad];
    };
    int sum_a = share_ * above_[0] + term(0) + five_shares_ * above_[1] +
                three_shares_ * above_[2] + 7 * a0_;
    int sum_b = a2_ + term(1) + 5 * a1_ + 3 * a0_ + 7 * b0_;
    // Column -1 keeps no error, regardless of what column 0 above hands it; all
    // columns left of it see no error and make none.
    constexpr int kNoError = 16 * kStateOutside + kTermOutside;
    if constexpr (border == Border::kLeft) {
      const int lane = lane_ - step / kLaneLag;
      if ((k + 1) % kLaneLag == 0 && lane == (k + 1) / kLaneLag) {
        sum_a = kNoError;
      }
      if ((k + 1 - kRowLag) % kLaneLag == 0 &&
          lane == (k + 1 - kRowLag) / kLaneLag) {
        sum_b = kNoError;
      }
    }
    if constexpr (border == Border::kBoth) {
      if (column_a == -1) sum_a = kNoError;
      if (column_b == -1) sum_b = kNoError;
    }
    a2_ = a1_;
    a1_ = a0_;
    a0_ = Levels::Quantize((sum_a >> 4) + kTermBias, packed[0]);
    b0_ = Levels::Quantize((sum_b >> 4) + kTermBias, packed[1]);
    if constexpr (border == Border::kBoth || border == Border::kRight) {
      // The column right of the page keeps no error either, at this step of the
      // group.
      const int behind = strip_.job->width + lane_ * kLaneLag - step;
      if (k == behind) a0_ = kStateOutside;
      if (k - kRowLag == behind) b0_ = kStateOutside;
    }

#pragma unroll
    for (int i = 0; i < kShareDelay + 1; ++i) above_[i] = above_[i + 1];
    above_[kShareDelay + 1] = __shfl_up_sync(0xFFFFFFFFu, b0_, 1);
  }

  __device__ const int32_t* TermsFrom(int step) const {
    return &rings_.terms[0][lane_][step % kTermRing];
  }
  __device__ uint8_t* SamplesFrom(int step) const {
    return reinterpret_cast<uint8_t*>(rings_.samples[0][lane_]) +
           step / 8 * Levels::kBits % (kSampleRing * 4);
  }

  // Loads the terms of both rows for four steps into buffer 0 or 1.
  __device__ void LoadTerms(int buffer, const int32_t* from) {
#pragma unroll
    for (int row = 0; row < kRowsPerLane; ++row) {
      const int4 four =
          *reinterpret_cast<const int4*>(from + row * (kLanes * kTermPitch));
      terms_[buffer][row][0] = four.x;
      terms_[buffer][row][1] = four.y;
      terms_[buffer][row][2] = four.z;
      terms_[buffer][row][3] = four.w;
    }
  }

  // The samples of eight steps: the first in the highest bits, bytes rising.
  static __device__ void StoreSamples(uint8_t* at,
                                      const uint32_t (&packed)[2]) {
#pragma unroll
    for (int row = 0; row < kRowsPerLane; ++row) {
      uint8_t* mine = at + row * (kLanes * kSamplePitch * 4);
      if constexpr (Levels::kBits == 1) {
        *mine = static_cast<uint8_t>(packed[row]);
      } else if constexpr (Levels::kBits == 2) {
        *reinterpret_cast<uint16_t*>(mine) =
            static_cast<uint16_t>(__byte_perm(packed[row], 0, 0x4401));
      } else {
        *reinterpret_cast<uint32_t*>(mine) =
            __byte_perm(packed[row], 0, 0x0123);
      }
    }
  }

  // Where the state of a step of the row that is handed on lies.
  __device__ int IndexOf(int step) const {
    return TermStrip::IndexOf(step, strip_.last_row);
  }

  static __device__ void HandOn(uint16_t* at,
                                const uint32_t (&states)[kStatesPerStore]) {
    const auto pair = [&](int k) {
      return __byte_perm(states[k], states[k + 1], 0x5410);
    };
    Handoff::Store(at, make_uint4(pair(0), pair(2), pair(4), pair(6)));
  }

  // Hides a number from the compiler, which would otherwise turn the
  // multiplication by 0 or 1 and the addition into a selection and an addition.
  static __device__ int Opaque(int number) {
    asm("" : "+r"(number));
    return number;
  }

  TermRings& rings_;
  const TermStrip& strip_;
  const int lane_;
  TestDelay delay_;
  // Shares of the states above; 0 in lane 0, whose terms hold their share
  // already.
  const int share_, three_shares_, five_shares_;
  const bool hands_on_;
  bool has_entered_ = true;  // as the last look saw

  int terms_[2][kRowsPerLane][kTermsPerLoad];
  int above_[kShareDelay + 2];  // states of the row above, oldest first
  int a0_, a1_, a2_;  // states of the first row: of the last step, before …
  int b0_;            // of the second row
};

}  // namespace halftoned::cuda::collect
