// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the samples along one side of a picture from those of a picture of
// another size. To enlarge, it uses the filter of Mitchell and Netravali, which
// makes no halos; to reduce, that of Lanczos with three lobes, stretched by the
// scale.

#pragma once

#include <cstdint>
#include <vector>

namespace halftoned {

// The old samples that make a new one, and the weight of each. The weights are
// whole multiples of 2^-20, and their sum is exactly 1.
struct Taps {
  int64_t first = 0;
  std::vector<float> weights;
};

class AxisFilter {
 public:
  // The greatest reduction of a side: up to it, sums of floats are exact
  // enough.
  static constexpr int64_t kMostReduction = 1024;

  // Both sizes are at least 1.
  AxisFilter(int64_t old_size, int64_t new_size);

  int64_t old_size() const { return old_size_; }
  int64_t new_size() const { return new_size_; }
  // More taps than any new sample has.
  int64_t most_taps() const;

  // at: 0 … new_size - 1. Replaces the weights in `taps`.
  void Find(int64_t at, Taps& taps) const;

 private:
  double WeightAt(double distance) const;

  int64_t old_size_;
  int64_t new_size_;
  double stretch_;  // of the filter
  double radius_;   // in old samples
};

}  // namespace halftoned
