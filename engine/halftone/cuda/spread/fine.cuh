// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fine` in floats, of which a multiprocessor does twice as many as integers.
// Every number is an integer below 2^24, so nothing is lost; what is rounded
// is rounded by adding to kBias:
//
//   down, as >> does       a fused multiplication and addition that rounds down
//   half up, as parts do   one that rounds to the nearest, of e + kNudge: too
//                          little to matter but where it decides a tie
//
// The leak is taken off s before it is known whether 4080 goes too, since an
// eighth of that is an integer. So the chain from pixel to pixel is
//
//   right: s, leak (3), e, part                        and s
//   down:  the same, part, clamp (2), shuffle, choice, and s
//   dots:  z, white, rarer, distance (4), shift (3),   and z
//
// of which the second is the longest.

#ifndef HALFTONED_HALFTONE_CUDA_SPREAD_FINE_CUH_
#define HALFTONED_HALFTONE_CUDA_SPREAD_FINE_CUH_

#include <cstdint>

#include "halftone/cuda/spread/fine_rows.h"
#include "halftone/cuda/spread/strip.cuh"
#include "halftone/error_sums.h"

namespace halftoned::cuda::spread {

static __device__ const FineRows kFineRowsOnDevice = FineRows::Make();

class Fine {
 public:
  static constexpr int kBits = 1;
  static constexpr int32_t kOutside = kFineOutsideWord;

  struct Tables {
    FineRows rows;
    // By all threads of the block.
    __device__ void Fill() {
      const auto* from = reinterpret_cast<const float4*>(&kFineRowsOnDevice);
      auto* to = reinterpret_cast<float4*>(&rows);
      constexpr int kQuads = sizeof(FineRows) / sizeof(float4);
      for (int i = threadIdx.x; i < kQuads; i += blockDim.x) to[i] = from[i];
    }
  };

  __device__ Fine(const Tables& tables, const Parameters&) : tables_(tables) {}

  static __device__ Passed Nothing() {
    return {kBiasBits, Bits(kFineFar - kFineNear)};
  }

  static __device__ Passed Enter(int sum, int left, int above, int right) {
    const int step = kFineAcross - kFineNear;
    const int distance =
        min(min(min(left, right) + step, above), kFineFar - kFineNear);
    return {kBiasBits + sum, Bits(static_cast<float>(distance))};
  }

  template <int slot>
  __device__ void Fetch(int32_t pixel) {
    rows_[slot] = tables_.rows.row[pixel & kFineRowMask];
  }

  template <int slot>
  __device__ void Step(int32_t pixel, const Passed& above, uint32_t& packed) {
    const FineRowOfFloats& row = rows_[slot];
    const float given = __fmaf_rn(row.pull, Float(above.sum), Float(pixel));
    const float s = __fmaf_rn(row.pull, right_, given);

    // The distance, less the step to here; then white or black.
    const float before = fminf(left_, Float(above.other));
    const float shift =
        fminf(__fmaf_rd(row.gain, __fadd_rn(before, row.near), kBias),
              kBias + kFineMaxShift);
    const float z = __fsub_rn(__fmaf_rn(row.side, shift, row.threshold), s);
    const float white = IsNegative(z);
    packed = __funnelshift_l(Bits(z), packed, 1);
    Spread(row, __fadd_rn(s, kNudge), white);
    PassDown();
    left_left_left_ = left_left_;
    left_left_ = left_;
    left_ = __fmul_rn(__fmaf_rn(row.side, white, row.kept),
                      __fadd_rn(before, kFineNear));
  }

  __device__ Passed below() const { return below_; }
  __device__ uint32_t word() const { return word_; }

 private:
  static constexpr float kNudge = 1.0f / 256;

  static __device__ uint32_t Bits(float x) { return __float_as_uint(x); }
  static __device__ float Float(uint32_t bits) { return __uint_as_float(bits); }

  // 1 or 0. A comparison and a choice would go through a predicate.
  static __device__ float IsNegative(float x) {
    float is_negative;
    asm("set.lt.f32.f32 %0, %1, 0f00000000;" : "=f"(is_negative) : "f"(x));
    return is_negative;
  }

  // `s` is nudged, and so is e.
  __device__ void Spread(const FineRowOfFloats& row, float s, float white) {
    const float leak = __fsub_rn(__fmaf_rn(s, row.leak, kBias), kBias);
    const float e = __fmaf_rn(white, row.white, __fsub_rn(s, leak));
    // The one negative weight is a leaking row's: there a tie is decided by
    // the opposite nudge.
    const float e_left = __fmaf_rn(row.leak, -16 * kNudge, e);
    right_ = __fmaf_rn(e, row.right, -kBias);
    const float down_right = __fmaf_rn(e, row.down_right, kBias);
    const float down_left = __fmaf_rn(e_left, row.down_left, -kBias);
    const float down_left_left = __fmaf_rn(e, row.down_left_left, kBias);
    const float down = __fsub_rn(__fsub_rn(e, __fadd_rn(right_, down_right)),
                                 __fadd_rn(down_left, down_left_left));
    sum_ = __fmaf_rn(e, row.down_left_left, sum_left_left_);
    sum_left_left_ = __fmaf_rn(e_left, row.down_left, sum_left_);
    sum_left_ = __fadd_rn(sum_here_, down);
    sum_here_ = down_right;
  }

  // The pixel's own state is not in left_ yet: that is two columns right of the
  // sum's column, and not near enough to count there.
  __device__ void PassDown() {
    sum_ = fmaxf(fminf(sum_, kBias + kMaxErrorSum), kBias - kMaxErrorSum);
    const float across =
        __fadd_rn(fminf(left_left_left_, left_), kFineAcross - kFineNear);
    const float distance =
        fminf(fminf(across, left_left_), kFineFar - kFineNear);
    below_ = {Bits(sum_), Bits(distance)};
    word_ = __byte_perm(Bits(sum_), Bits(__fadd_rn(left_, kBias)), 0x5410);
  }

  const Tables& tables_;
  FineRowOfFloats rows_[2];
  // Biased: what the last pixel gave to the right, and the sums of the row
  // below for the columns two left, left and here.
  float right_ = -kBias;
  float sum_left_left_ = kBias, sum_left_ = kBias, sum_here_ = kBias;
  float sum_;  // complete, of two columns left
  // Distances of the pixels to the left.
  float left_ = kFineFar, left_left_ = kFineFar, left_left_left_ = kFineFar;
  Passed below_;
  uint32_t word_;
};

}  // namespace halftoned::cuda::spread

#endif  // HALFTONED_HALFTONE_CUDA_SPREAD_FINE_CUH_
