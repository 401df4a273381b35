// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fine` in floats, of which a multiprocessor does twice as many as integers.
// Every number is an integer below 2^24, so nothing is lost; what is rounded
// is rounded by adding to kBias:
//
//   down, as >> does       a fused multiplication and addition that rounds down
//   half up, as parts do   one that rounds to the nearest, of e + kFineNudge:
//                          too little to matter but where it decides a tie
//   half down, as s less   one that rounds to the nearest, of a positive number
//   what leaks does        times a little less than 7/8
//
// Distances are the bits of biased floats: minima, also of a sum, are one
// instruction for integers, and the table needs floats.
//
// The leak of an error is subtracted from s before it is known whether 4080 is
// too, since an eighth of that is an integer: s - ((s + 4) >> 3) is 7/8 s, half
// of an odd eighth being rounded down. So the chain from pixel to pixel is
//
//   right: given, s, what stays (2), e, part               and given
//   down:  z, white (2), e, sum, clamp, shuffle, choice    and z
//   dots:  z, white (2), distance (3), shift (3), rest     and z
//
// of which the second is the longest, with some 55 cycles.
//
// More levels are off this chain: black and white are then the two levels of
// the pixel's interval, whose lower one the pixel's word has.

#pragma once

#include <cstdint>

#include "halftone/gpu/spread/fine_rows.h"
#include "halftone/gpu/spread/wave_strip.cuh"
#include "halftone/page/best_first_table.h"
#include "halftone/page/error_sums.h"
#include "halftone/page/levels.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda::spread {

// By Recipe::kTable. In a function, because nvcc names file-local symbols after
// the file's path.
inline __device__ const FineRows& FineRowsOnDevice(int table) {
  static __device__ const FineRows rows[] = {FineRows::Make(kFineTable),
                                             FineRows::Make(kBestFirstTable)};
  return rows[table];
}

template <int levels>
class Fine {
 public:
  static constexpr int kBits = Levels::ForCount(levels).bits_per_sample;
  static constexpr int32_t kOutside = kFineOutsideWord;
  static constexpr uint32_t kSumMark = kBiasBits;  // makes it a float

  // A copy for each of eight lanes, so that their 16-byte reads, which go
  // together, are in different banks for any rows. A4 on an H200: with one copy
  // 2.12 ms for noise and 1.72 for one tone, with eight 1.94.
  struct Tables {
    static constexpr int kCopies = 8;
    float4 quads[FineRowOfFloats::kQuads][kFineConstantRows][kCopies];

    // Called by all threads of the block.
    __device__ void Fill(const Parameters& parameters) {
      const auto* from = reinterpret_cast<const float4*>(
          &FineRowsOnDevice(parameters.own.number[0]));
      constexpr int kQuads = FineRowOfFloats::kQuads;
      for (int i = threadIdx.x; i < int{sizeof(quads) / sizeof(float4)};
           i += blockDim.x) {
        const int row = i / kCopies % kFineConstantRows;
        const int quad = i / kCopies / kFineConstantRows;
        (&quads[0][0][0])[i] = from[row * kQuads + quad];
      }
    }
  };

  __device__ Fine(const Tables& tables, const Parameters&, int64_t)
      : quads_(static_cast<uint32_t>(__cvta_generic_to_shared(
            &tables.quads[0][0][threadIdx.x % Tables::kCopies]))) {}

  static OwnParameters ParametersOf(const Recipe& recipe) {
    return {{recipe.parameter(Recipe::kTable)}};
  }

  static __device__ Passed Nothing() {
    return {kMaxErrorSum, kBiasBits + kFineFar};
  }

  static __device__ Passed Enter(int sum, int left, int above, int right) {
    const int distance = min(min(left, right) + kFineAcross, above + kFineNear);
    return {static_cast<uint32_t>(sum),
            kBiasBits + static_cast<uint32_t>(distance)};
  }

  template <int slot>
  __device__ void Fetch(int32_t pixel) {
    constexpr int kBytes = Tables::kCopies * int{sizeof(float4)};
    // Two instructions; the compiler would need three.
    uint32_t at;
    asm("mad.lo.u32 %0, %1, %2, %3;"
        : "=r"(at)
        : "r"(pixel & kFineRowMask), "n"(kBytes >> kFineRowShift), "r"(quads_));
    const auto* row = static_cast<const float4*>(__cvta_shared_to_generic(at));
    constexpr int kNext = kFineConstantRows * Tables::kCopies;
    rows_[slot] = FineRowOfFloats::From(row[0], row[kNext], row[2 * kNext]);
  }

  template <int slot>
  __device__ void Step(int32_t pixel, const Passed& above, uint32_t& packed) {
    const FineRowOfFloats& row = rows_[slot];
    const int distance = min(near_, static_cast<int>(above.other));
    const float shift =
        fminf(__fmaf_rd(row.gain, __fadd_rn(Float(distance), row.near), kBias),
              kBias + kFineMaxShift);
    const float given = __fadd_rn(right_, Float(pixel));
    // So that only one addition is between the sum from above and z.
    const float rest =
        __fsub_rn(__fmaf_rn(row.side, shift, row.threshold), given);
    const float z = __fsub_rn(rest, Float(above.sum));
    if constexpr (levels == 2) packed = __funnelshift_l(Bits(z), packed, 1);
    const uint32_t white = IsNegative(z);
    if constexpr (levels > 2) {
      packed = packed << kBits | SampleOf((pixel & kFineLevelMask) - white);
    }
    Spread(row, __fadd_rn(given, Float(above.sum)), white);
    left_left_left_ = left_left_;
    left_left_ = left_;
    left_ = __viaddmin_s32(
        distance, max(static_cast<int>(Bits(row.tie)), 0),
        static_cast<int>((white & kFineFar) ^ Bits(row.black_dot)));
    left_near_ = near_;
    near_ = __viaddmin_s32(left_, kFineNear, kBiasBits + kFineFar);
  }

  // A dot two columns right of the pixel below is not near enough to count.
  __device__ uint32_t other() const {
    return static_cast<uint32_t>(
        __viaddmin_s32(min(left_left_left_, left_), kFineAcross, left_near_));
  }
  __device__ uint32_t sum() const { return sum_; }
  __device__ uint32_t word() const {
    return __byte_perm(sum_, static_cast<uint32_t>(left_left_), 0x5410);
  }

 private:
  // What sums and parts are biased by, so that s comes out above zero and a
  // complete sum is clamped by one instruction, on the bits of the float.
  static constexpr float kSumBias = kBias + kMaxErrorSum - kSBias;

  static __device__ uint32_t SampleOf(uint32_t level) {
    return levels == 8 ? 9 * level >> 2 : level;
  }

  static __device__ uint32_t Bits(float x) { return __float_as_uint(x); }
  static __device__ float Float(uint32_t bits) { return __uint_as_float(bits); }

  // All ones or 0. A comparison and a choice would go through a predicate; and
  // no difference is -0.
  static __device__ uint32_t IsNegative(float x) {
    return static_cast<uint32_t>(__float_as_int(x) >> 31);
  }

  // s: with kSBias.
  __device__ void Spread(const FineRowOfFloats& row, float s, uint32_t white) {
    const float bias = __fmaf_rn(row.stays, -kSBias, kBias);
    const float stays = __fsub_rn(__fmaf_rn(s, row.stays, bias), kBias);
    // With the nudge.
    const float e =
        __fadd_rn(stays, Float((white & Bits(row.white)) ^ Bits(kFineNudge)));
    right_ = __fmaf_rn(e, row.right, -kSumBias);
    const float down_right = __fmaf_rn(e, row.down_right, -kSumBias);
    const float complete = __fmaf_rn(e, row.down_left_left, sum_left_left_);
    constexpr int kZero =
        static_cast<int>(kBiasBits) - static_cast<int>(kSBias);
    sum_ = static_cast<uint32_t>(__viaddmin_s32_relu(
        static_cast<int>(Bits(complete)), -kZero, 2 * kMaxErrorSum));
    sum_left_left_ = __fmaf_rn(__fadd_rn(e, row.tie), row.down_left, sum_left_);
    all_sums_ = __fadd_rn(all_sums_, __fsub_rn(__fsub_rn(e, right_), complete));
    sum_left_ = __fsub_rn(all_sums_, __fadd_rn(sum_left_left_, down_right));
  }

  const uint32_t quads_;  // in shared memory: this lane's copies
  FineRowOfFloats rows_[2];
  // Biased: what the last pixel gave to the right, as far below zero as the
  // others are above; the sums of the row below for the columns two left and
  // left, and these and the one for the column here together.
  float right_ = -kSumBias;
  float sum_left_left_ = kSumBias, sum_left_ = kSumBias, all_sums_ = kSumBias;
  uint32_t sum_ = 0;  // complete, of two columns left: 0 … 16000
  // Distances of the pixels to the left, and what they are one column right of
  // the last and of the one before; all with kBiasBits.
  int left_ = kBiasBits + kFineFar, left_left_ = left_, left_left_left_ = left_;
  int near_ = left_, left_near_ = left_;
};

}  // namespace halftoned::cuda::spread
