// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `printer-model`, in integers, as the definition says it. What is passed on
// beside sums is 1 for a black pixel, else 0.

#ifndef HALFTONED_HALFTONE_GPU_SPREAD_PRINTER_MODEL_CUH_
#define HALFTONED_HALFTONE_GPU_SPREAD_PRINTER_MODEL_CUH_

#include <cstdint>

#include "halftone/gpu/spread/int_sums.cuh"
#include "halftone/gpu/spread/pixel.h"
#include "halftone/gpu/spread/wave_strip.cuh"
#include "halftone/page/recipe.h"
#include "halftone/page/tone_curve.h"

namespace halftoned::cuda::spread {

class PrinterModel {
 public:
  static constexpr int kBits = 1;
  static constexpr int32_t kOutside = kOutsideWord;
  static constexpr uint32_t kSumMark = 0;

  struct Tables {
    __device__ void Fill(const Parameters&) {}
  };

  __device__ PrinterModel(const Tables&, const Parameters& parameters, int64_t)
      : ink_(parameters.own.number[0]), overlap_(parameters.own.number[1]) {}

  static OwnParameters ParametersOf(const Recipe& recipe) {
    return {recipe.parameter(Recipe::kInk), recipe.parameter(Recipe::kOverlap)};
  }

  static __device__ Passed Nothing() { return {}; }

  static __device__ Passed Enter(int sum, int, int above, int) {
    return {static_cast<uint32_t>(sum - kMaxErrorSum),
            static_cast<uint32_t>(above)};
  }

  template <int slot>
  __device__ void Fetch(int32_t) {}

  template <int slot>
  __device__ void Step(int32_t pixel, const Passed& above, uint32_t& packed) {
    const int v = pixel & kValueMask;
    const bool is_pure = (pixel & kPurePixel) != 0;
    const int s = max(v, kWhite - ink_ + 2 * overlap_) +
                  static_cast<int>(above.sum) + sums_.right();
    const int dot = ink_ - overlap_ * (left_ + static_cast<int>(above.other));
    const bool is_white = is_pure ? v == kWhite : s > kWhite - (dot >> 1);
    packed = packed << 1 | static_cast<uint32_t>(is_white);
    constexpr ErrorWeights kWeights = kFloydSteinbergWeights;
    sums_.Spread(is_pure ? 0 : s - kWhite + (is_white ? 0 : dot), kWeights);
    left_left_ = left_;
    left_ = is_white || (pixel & kOutsidePixel) != 0 ? 0 : 1;
  }

  __device__ uint32_t other() const {
    return static_cast<uint32_t>(left_left_);
  }
  __device__ uint32_t sum() const {
    return static_cast<uint32_t>(sums_.complete());
  }
  __device__ uint32_t word() const {
    return (sum() + kMaxErrorSum) | static_cast<uint32_t>(left_left_) << 16;
  }

 private:
  const int ink_, overlap_;
  IntSums sums_;
  int left_ = 0, left_left_ = 0;  // black dots
};

}  // namespace halftoned::cuda::spread

#endif  // HALFTONED_HALFTONE_GPU_SPREAD_PRINTER_MODEL_CUH_
