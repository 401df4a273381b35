// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is good or bad in the clusters of a flat page: how even they lie, in
// all directions, and whether each is one of its own.

#ifndef HALFTONED_TESTS_BENCH_TONE_FLAT_DOTS_H_
#define HALFTONED_TESTS_BENCH_TONE_FLAT_DOTS_H_

#include <cstdint>
#include <vector>

namespace halftoned::bench {

// Where the dots of the rarer kind are in a square of flat tone.
class FlatDots {
 public:
  static constexpr int kSide = 256;

  FlatDots() : is_dot_(kSide * kSide) {}

  bool At(int row, int column) const { return is_dot_[row * kSide + column]; }
  void Set(int row, int column, bool is_dot) {
    is_dot_[row * kSide + column] = is_dot;
  }

  double Share() const;  // of the area
  // Edges between a dot and what is none, of each dot.
  double EdgesOfDot() const;

 private:
  std::vector<uint8_t> is_dot_;
};

// Of dots that touch, corners too, and that do not touch the border.
struct Clusters {
  double size_deviation;  // of dots, standard
  double largest_extent;  // of all but a hundredth, in rows or columns
};
Clusters ClustersOf(const FlatDots& dots);

struct Spectrum {
  // The share of power at frequencies much lower than `principal` cycles a
  // pixel: what is seen as unrest.
  double low_share;
  double anisotropy;  // between directions, of the mean
};
Spectrum SpectrumOf(const FlatDots& dots, double principal);

}  // namespace halftoned::bench

#endif  // HALFTONED_TESTS_BENCH_TONE_FLAT_DOTS_H_
