// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recipes that spread errors by Floyd and Steinberg's weights: `clustered` and
// `printer-model`, in integers, as the definition says them.

#ifndef HALFTONED_HALFTONE_CUDA_SPREAD_WEIGHED_CUH_
#define HALFTONED_HALFTONE_CUDA_SPREAD_WEIGHED_CUH_

#include <cstdint>

#include "halftone/cuda/spread/pixel.h"
#include "halftone/cuda/spread/strip.cuh"
#include "halftone/error_sums.h"
#include "halftone/tone_curve.h"

namespace halftoned::cuda::spread {

// What pixels have been given. Below a pixel the sum for the column to its left
// is complete, and is passed on a step later.
class WeighedSums {
 public:
  __device__ int right() const { return right_; }
  __device__ int complete() const { return complete_; }

  __device__ void Spread(int e) {
    constexpr ErrorWeights kWeights = kFloydSteinbergWeights;
    right_ = Part(kWeights.right, e);
    const int down_right = Part(kWeights.down_right, e);
    const int down_left = Part(kWeights.down_left, e);
    complete_ = next_;
    next_ = min(max(left_ + down_left, -int{kMaxErrorSum}), int{kMaxErrorSum});
    left_ = here_ + e - right_ - down_right - down_left;
    here_ = down_right;
  }

 private:
  // ErrorPart, for the device.
  static __device__ int Part(int weight, int e) {
    return (weight * e + 128) >> 8;
  }

  int right_ = 0;
  int left_ = 0, here_ = 0;  // of the row below, not yet complete
  int next_ = 0;             // complete, of one column left
  int complete_ = 0;         // of two
};

// What the two recipes share: sums, and a small number for what was printed,
// kept plus `bias` in words. Decision says what is printed and owed.
template <class Decision>
class Weighed {
 public:
  static constexpr int kBits = 1;
  static constexpr int32_t kOutside = kOutsideWord;

  struct Tables {
    __device__ void Fill() {}
  };

  __device__ Weighed(const Tables&, const Parameters& parameters)
      : decision_(parameters) {}

  static __device__ Passed Nothing() { return {}; }

  static __device__ Passed Enter(int sum, int, int above, int) {
    return {static_cast<uint32_t>(sum),
            static_cast<uint32_t>(above - Decision::kBias)};
  }

  template <int slot>
  __device__ void Fetch(int32_t) {}

  template <int slot>
  __device__ void Step(int32_t pixel, const Passed& above, uint32_t& packed) {
    const int v = pixel & kValueMask;
    const int sum = static_cast<int>(above.sum) + sums_.right();
    const bool is_pure = (pixel & kPurePixel) != 0;
    const Outcome outcome =
        decision_.Print(v, sum, is_pure, left_, static_cast<int>(above.other));
    packed = packed << 1 | static_cast<uint32_t>(outcome.is_white);
    sums_.Spread(is_pure ? 0 : outcome.error);
    below_ = {static_cast<uint32_t>(sums_.complete()),
              static_cast<uint32_t>(left_left_)};
    word_ = (below_.sum & 0xFFFF) |
            static_cast<uint32_t>(left_ + Decision::kBias) << 16;
    left_left_ = left_;
    left_ = pixel & kOutsidePixel ? 0 : Decision::StateOf(outcome.is_white);
  }

  __device__ Passed below() const { return below_; }
  __device__ uint32_t word() const { return word_; }

 private:
  using Outcome = typename Decision::Outcome;

  const Decision decision_;
  WeighedSums sums_;
  int left_ = 0, left_left_ = 0;  // printed
  Passed below_;
  uint32_t word_;
};

class ClusteredDecision {
 public:
  struct Outcome {
    bool is_white;
    int error;
  };
  static constexpr int kBias = 1;
  static __device__ int StateOf(bool is_white) { return is_white ? 1 : -1; }

  __device__ explicit ClusteredDecision(const Parameters& parameters)
      : feedback_(parameters.first) {}

  __device__ Outcome Print(int v, int sum, bool is_pure, int left,
                           int above) const {
    const int s = is_pure ? v : v + sum;
    const int bias = is_pure ? 0 : feedback_ * (left + above);
    const bool is_white = s + bias > kWhite / 2;
    return {is_white, s - (is_white ? kWhite : 0)};
  }

 private:
  int feedback_;
};

class PrinterModelDecision {
 public:
  struct Outcome {
    bool is_white;
    int error;
  };
  static constexpr int kBias = 0;
  static __device__ int StateOf(bool is_white) { return is_white ? 0 : 1; }

  __device__ explicit PrinterModelDecision(const Parameters& parameters)
      : ink_(parameters.first), overlap_(parameters.second) {}

  __device__ Outcome Print(int v, int sum, bool is_pure, int left,
                           int above) const {
    const int s = max(v, kWhite - ink_ + 2 * overlap_) + sum;
    const int dot = ink_ - overlap_ * (left + above);
    const bool is_white = is_pure ? v == kWhite : s > kWhite - (dot >> 1);
    return {is_white, s - kWhite + (is_white ? 0 : dot)};
  }

 private:
  int ink_, overlap_;
};

using Clustered = Weighed<ClusteredDecision>;
using PrinterModel = Weighed<PrinterModelDecision>;

}  // namespace halftoned::cuda::spread

#endif  // HALFTONED_HALFTONE_CUDA_SPREAD_WEIGHED_CUH_
