// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The void-and-cluster method on a torus.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "halftone/blue_noise/ranks.h"

namespace halftoned {
namespace {

constexpr int kSide = kBlueNoiseSide;
constexpr int kPixels = kSide * kSide;
constexpr int kFirstDots = kPixels / 10;
constexpr int kReach = 9;
constexpr int32_t kMost = std::numeric_limits<int32_t>::max();

// The weight of a dot at a squared distance, about exp(-d² / 5.8).
constexpr auto kWeights = [] {
  std::array<int32_t, 2 * kReach * kReach + 1> weights{};
  weights[0] = 1 << 24;
  for (size_t i = 1; i < weights.size(); ++i) {
    weights[i] = static_cast<int32_t>(int64_t{weights[i - 1]} * 55124 >> 16);
  }
  return weights;
}();

// All dots around a pixel give it less than kMost.
static_assert([] {
  int64_t sum = 0;
  for (int y = -kReach; y <= kReach; ++y) {
    for (int x = -kReach; x <= kReach; ++x) {
      sum += kWeights[static_cast<size_t>(x * x + y * y)];
    }
  }
  return sum < kMost;
}());

// A set of dots, and for each pixel the sum of the weights of all dots around
// it: its crowd. Compilers turn the loop over a row into vectors.
class Dots {
 public:
  bool Has(int at) const { return full_[Row(at)][Column(at)] != 0; }

  // Not inlined: WebAssembly switches to optimized code only at the next call.
  [[gnu::noinline]] void Flip(int at) {
    const int32_t sign = Has(at) ? -1 : 1;
    full_[Row(at)][Column(at)] = sign > 0 ? kMost : 0;
    for (int y = -kReach; y <= kReach; ++y) {
      const size_t row = Row(at + y * kSide + kPixels);
      for (int x = -kReach; x <= kReach; ++x) {
        crowds_[row][Column(at + x + kSide)] +=
            sign * kWeights[static_cast<size_t>(x * x + y * y)];
      }
      FindExtremes(row);
    }
  }

  // The first in row order, if several dots or gaps are equal.
  int MostCrowdedDot() const {
    const auto row =
        static_cast<size_t>(std::ranges::max_element(most_) - most_.begin());
    return FirstOf(row, most_[row], kMost);
  }
  int LeastCrowdedGap() const {
    const auto row =
        static_cast<size_t>(std::ranges::min_element(least_) - least_.begin());
    return FirstOf(row, least_[row], 0);
  }

 private:
  using Numbers = std::array<int32_t, kSide>;

  static size_t Row(int at) { return static_cast<size_t>(at / kSide % kSide); }
  static size_t Column(int at) { return static_cast<size_t>(at % kSide); }

  // The crowds of a row's most crowded dot, 0 if there is none, and of its
  // least crowded gap, or kMost.
  void FindExtremes(size_t row) {
    const Numbers& crowds = crowds_[row];
    const Numbers& full = full_[row];
    int32_t most = 0;
    int32_t least = kMost;
    for (size_t i = 0; i < crowds.size(); ++i) {
      most = std::max(most, crowds[i] & full[i]);
      least = std::min(least, crowds[i] | full[i]);
    }
    most_[row] = most;
    least_[row] = least;
  }

  int FirstOf(size_t row, int32_t crowd, int32_t full) const {
    int column = 0;
    while (crowds_[row][Column(column)] != crowd ||
           full_[row][Column(column)] != full) {
      ++column;
    }
    return static_cast<int>(row) * kSide + column;
  }

  std::vector<Numbers> full_ = std::vector<Numbers>(kSide);  // dots: kMost
  std::vector<Numbers> crowds_ = std::vector<Numbers>(kSide);
  Numbers most_{};
  Numbers least_{};
};

// A tenth of the pixels, chosen at random; then the most crowded dot moves to
// the least crowded gap, until it would return to its place.
Dots FirstDots() {
  Dots dots;
  uint32_t number = 1;
  for (int count = 0; count < kFirstDots;) {
    number = number * 1664525 + 1013904223;
    const auto at = static_cast<int>(number >> 16);
    if (dots.Has(at)) continue;
    dots.Flip(at);
    ++count;
  }
  for (;;) {
    const int from = dots.MostCrowdedDot();
    dots.Flip(from);
    const int to = dots.LeastCrowdedGap();
    dots.Flip(to);
    if (to == from) return dots;
  }
}

}  // namespace

std::vector<uint16_t> MakeBlueNoiseRanks() {
  const Dots first = FirstDots();
  std::vector<uint16_t> ranks(kPixels);
  Dots fewer = first;
  for (int rank = kFirstDots - 1; rank >= 0; --rank) {
    const int at = fewer.MostCrowdedDot();
    fewer.Flip(at);
    ranks[static_cast<size_t>(at)] = static_cast<uint16_t>(rank);
  }
  Dots more = first;
  for (int rank = kFirstDots; rank < kPixels; ++rank) {
    const int at = more.LeastCrowdedGap();
    more.Flip(at);
    ranks[static_cast<size_t>(at)] = static_cast<uint16_t>(rank);
  }
  return ranks;
}

}  // namespace halftoned
