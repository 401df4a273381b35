// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the clusters of a flat page: how evenly they are spaced, in all
// directions, and whether they are separate.

#ifndef HALFTONED_BENCH_TONE_FLAT_DOTS_H_
#define HALFTONED_BENCH_TONE_FLAT_DOTS_H_

#include <cstdint>
#include <vector>

namespace halftoned::bench {

// The positions of the dots of the rarer kind in a square of flat tone.
class FlatDots {
 public:
  static constexpr int kSide = 256;

  FlatDots() : is_dot_(kSide * kSide) {}

  bool At(int row, int column) const { return is_dot_[row * kSide + column]; }
  void Set(int row, int column, bool is_dot) {
    is_dot_[row * kSide + column] = is_dot;
  }

  double Share() const;  // fraction of the area
  // Free edges per dot.
  double EdgesOfDot() const;

 private:
  std::vector<uint8_t> is_dot_;
};

// Clusters of dots that touch, even at corners; those at the border are
// ignored.
struct Clusters {
  double size_deviation;  // standard deviation of their dots
  double largest_extent;  // 99th percentile, in rows or columns
};
Clusters ClustersOf(const FlatDots& dots);

struct Spectrum {
  // The share of power at frequencies much lower than `principal` cycles a
  // pixel: visible as unevenness.
  double low_share;
  double anisotropy;  // between directions, of the mean
};
Spectrum SpectrumOf(const FlatDots& dots, double principal);

}  // namespace halftoned::bench

#endif  // HALFTONED_BENCH_TONE_FLAT_DOTS_H_
