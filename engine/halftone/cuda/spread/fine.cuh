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
// What leaks of an error is taken off s before it is known whether 4080 goes
// too, since an eighth of that is an integer: s - ((s + 4) >> 3) is 7/8 s, half
// of an odd eighth being rounded down. So the chain from pixel to pixel is
//
//   right: s, what stays (3), e, part                  and s
//   down:  the same, part, clamp, shuffle, choice, given, and s
//   dots:  z, white, rarer, distance (3), shift (3),   and z
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
  static constexpr uint32_t kSumMark = kBiasBits;  // makes it a float

  // A copy for each of eight lanes, so that their 16-byte reads, which go
  // together, are of different banks whatever rows they want. A4 on an H200:
  // with one copy 2.12 ms for noise and 1.72 for one tone, with eight 1.94.
  struct Tables {
    static constexpr int kCopies = 8;
    float4 quads[FineRowOfFloats::kQuads][kFineConstantRows][kCopies];

    // By all threads of the block.
    __device__ void Fill(const Parameters&) {
      const auto* from = reinterpret_cast<const float4*>(&kFineRowsOnDevice);
      constexpr int kQuads = FineRowOfFloats::kQuads;
      for (int i = threadIdx.x; i < int{sizeof(quads) / sizeof(float4)};
           i += blockDim.x) {
        const int row = i / kCopies % kFineConstantRows;
        const int quad = i / kCopies / kFineConstantRows;
        (&quads[0][0][0])[i] = from[row * kQuads + quad];
      }
    }
  };

  __device__ Fine(const Tables& tables, const Parameters&)
      : quads_(&tables.quads[0][0][threadIdx.x % Tables::kCopies]) {}

  static __device__ Passed Nothing() {
    return {kBiasBits | kMaxErrorSum, Bits(kFineFar - kFineNear)};
  }

  static __device__ Passed Enter(int sum, int left, int above, int right) {
    const int step = kFineAcross - kFineNear;
    const int distance =
        min(min(min(left, right) + step, above), kFineFar - kFineNear);
    return {kBiasBits | static_cast<uint32_t>(sum),
            Bits(static_cast<float>(distance))};
  }

  template <int slot>
  __device__ void Fetch(int32_t pixel) {
    const float4* row =
        quads_ + ((pixel & kFineRowMask) >> kFineRowShift) * Tables::kCopies;
    constexpr int kNext = kFineConstantRows * Tables::kCopies;
    rows_[slot] = FineRowOfFloats::From(row[0], row[kNext], row[2 * kNext]);
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
    Spread(row, s, white);
    left_left_left_ = left_left_;
    left_left_ = left_;
    left_ = __fmul_rn(__fmaf_rn(row.side, white, row.kept),
                      __fadd_rn(before, kFineNear));
  }

  // What is two columns right of the pixel below is not near enough to count.
  __device__ uint32_t other() const {
    const float across =
        __fadd_rn(fminf(left_left_left_, left_), kFineAcross - kFineNear);
    return Bits(fminf(fminf(across, left_left_), kFineFar - kFineNear));
  }
  __device__ uint32_t sum() const { return sum_; }
  __device__ uint32_t word() const {
    return __byte_perm(sum_, Bits(__fadd_rn(left_left_, kBias)), 0x5410);
  }

 private:
  static constexpr float kNudge = 1.0f / 256;
  // Sums are kept 8000 above that, so that a complete one is clamped by one
  // instruction, on the bits of the float.
  static constexpr float kSumBias = kBias + kMaxErrorSum;

  static __device__ uint32_t Bits(float x) { return __float_as_uint(x); }
  static __device__ float Float(uint32_t bits) { return __uint_as_float(bits); }

  // 1 or 0. A comparison and a choice would go through a predicate.
  static __device__ float IsNegative(float x) {
    float is_negative;
    asm("set.lt.f32.f32 %0, %1, 0f00000000;" : "=f"(is_negative) : "f"(x));
    return is_negative;
  }

  __device__ void Spread(const FineRowOfFloats& row, float s, float white) {
    const float stays =
        __fsub_rn(__fmaf_rn(__fsub_rn(s, kNudge), row.stays, kBias), kBias);
    // With the nudge.
    const float e = __fadd_rn(stays, __fmaf_rn(white, row.white, kNudge));
    // The one negative weight is a leaking row's: there a tie is decided by
    // the opposite nudge.
    const float e_left =
        __fadd_rn(e, __fmaf_rn(row.stays, 16 * kNudge, -16 * kNudge));
    right_ = __fmaf_rn(e, row.right, -kSumBias);
    const float down_right = __fmaf_rn(e, row.down_right, kSumBias);
    const float down_left = __fmaf_rn(e_left, row.down_left, -kBias);
    const float down_left_left = __fmaf_rn(e, row.down_left_left, kBias);
    const float down = __fsub_rn(__fsub_rn(e, __fadd_rn(right_, down_right)),
                                 __fadd_rn(down_left, down_left_left));
    const float complete = __fmaf_rn(e, row.down_left_left, sum_left_left_);
    sum_ = static_cast<uint32_t>(
        __viaddmin_s32_relu(static_cast<int>(Bits(complete)),
                            -static_cast<int>(kBiasBits), 2 * kMaxErrorSum));
    sum_left_left_ = __fmaf_rn(e_left, row.down_left, sum_left_);
    sum_left_ = __fadd_rn(sum_here_, down);
    sum_here_ = down_right;
  }

  const float4* const quads_;  // this lane's copies
  FineRowOfFloats rows_[2];
  // Biased: what the last pixel gave to the right, and the sums of the row
  // below for the columns two left, left and here.
  float right_ = -kSumBias;
  float sum_left_left_ = kSumBias, sum_left_ = kSumBias, sum_here_ = kSumBias;
  uint32_t sum_ = 0;  // complete, of two columns left: 0 … 16000
  // Distances of the pixels to the left.
  float left_ = kFineFar, left_left_ = kFineFar, left_left_left_ = kFineFar;
};

}  // namespace halftoned::cuda::spread

#endif  // HALFTONED_HALFTONE_CUDA_SPREAD_FINE_CUH_
