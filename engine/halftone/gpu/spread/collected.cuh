// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floyd–Steinberg error collection with pure pixels, which the faster kernel
// (wavefront.cuh) does not support. There is no sum to complete: what goes down
// is the weighted errors around a column.

#pragma once

#include <cstdint>

#include "halftone/gpu/common/quantize.cuh"
#include "halftone/gpu/spread/pixel.h"
#include "halftone/gpu/spread/wave_strip.cuh"
#include "halftone/page/recipe.h"

namespace halftoned::cuda::spread {

template <int levels>
struct QuantizerOf {
  using Type = ManyLevels<levels>;
};
template <>
struct QuantizerOf<2> {
  using Type = TwoLevels;
};

template <int levels>
class Collected {
  using Quantizer = typename QuantizerOf<levels>::Type;
  static constexpr int kMinError = Levels::ForCount(levels).min_error;

 public:
  static constexpr int kBits = Quantizer::kBits;
  static constexpr int32_t kOutside = kOutsideWord;
  static constexpr uint32_t kSumMark = 0;

  struct Tables {
    __device__ void Fill(const Parameters&) {}
  };

  __device__ Collected(const Tables&, const Parameters&, int64_t) {}

  static OwnParameters ParametersOf(const Recipe&) { return {}; }

  static __device__ Passed Nothing() { return {}; }

  static __device__ Passed Enter(int, int left, int above, int right) {
    return {0,
            Weighted(left + kMinError, above + kMinError, right + kMinError)};
  }

  template <int slot>
  __device__ void Fetch(int32_t) {}

  template <int slot>
  __device__ void Step(int32_t pixel, const Passed& above, uint32_t& packed) {
    const int v = pixel & kValueMask;
    const int collected =
        v + ((7 * left_ + static_cast<int>(above.other) + 8) >> 4);
    const int s = pixel & kPurePixel ? v : collected;
    left_left_left_ = left_left_;
    left_left_ = left_;
    left_ = kStateOutside - Quantizer::Quantize(kStateOutside - s, packed);
  }

  __device__ uint32_t other() const {
    return Weighted(left_left_left_, left_left_, left_);
  }
  __device__ uint32_t sum() const { return 0; }
  __device__ uint32_t word() const {
    return static_cast<uint32_t>(left_left_ - kMinError) << 16;
  }

 private:
  static __device__ uint32_t Weighted(int left, int above, int right) {
    return static_cast<uint32_t>(left + 5 * above + 3 * right);
  }

  int left_ = 0, left_left_ = 0, left_left_left_ = 0;  // errors
};

}  // namespace halftoned::cuda::spread
