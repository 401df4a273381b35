// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of the errors that the pixels of a row have received, in integers: one
// lane's part of the definition's ErrorSums.

#pragma once

#include "halftone/page/error_sums.h"

namespace halftoned::cuda::spread {

class IntSums {
 public:
  // What the last pixel gave to the right.
  __device__ int right() const { return right_; }
  // The sum for two columns left of it, in the row below.
  __device__ int complete() const { return complete_; }

  __device__ void Spread(int e, const ErrorWeights& weights) {
    right_ = Part(weights.right, e);
    const int down_right = Part(weights.down_right, e);
    const int down_left = Part(weights.down_left, e);
    const int down_left_left = Part(weights.down_left_left, e);
    const int sum = left_left_ + down_left_left;
    complete_ = min(max(sum, -int{kMaxErrorSum}), int{kMaxErrorSum});
    left_left_ = left_ + down_left;
    left_ = here_ + e - right_ - down_right - down_left - down_left_left;
    here_ = down_right;
  }

 private:
  // ErrorPart, for the device.
  static __device__ int Part(int weight, int e) {
    return (weight * e + 128) >> 8;
  }

  int right_ = 0;
  // Sums of the row below, not yet complete; seen from the last pixel.
  int left_left_ = 0, left_ = 0, here_ = 0;
  int complete_ = 0;
};

}  // namespace halftoned::cuda::spread
