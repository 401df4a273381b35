// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build runs this program: it writes the ranks of the `blue-noise` mask,
// row by row, as the elements of a C++ array. docs/reference/bits.md defines
// the mask, which is made by the void-and-cluster method on a torus.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int kSide = 256;
constexpr int kPixels = kSide * kSide;
constexpr int kFirstDots = kPixels / 10;
constexpr int kReach = 9;

// The weight of a dot at a squared distance, about exp(-d² / 5.8).
constexpr auto kWeights = [] {
  std::array<int64_t, 2 * kReach * kReach + 1> weights{};
  weights[0] = 1 << 24;
  for (size_t i = 1; i < weights.size(); ++i) {
    weights[i] = weights[i - 1] * 55124 >> 16;
  }
  return weights;
}();

// A set of dots, and for each pixel the sum of the weights of all dots around
// it: its crowd.
class Dots {
 public:
  bool Has(int at) const { return has_[static_cast<size_t>(at)]; }

  void Flip(int at) {
    const int sign = Has(at) ? -1 : 1;
    has_[static_cast<size_t>(at)] = sign > 0;
    for (int y = -kReach; y <= kReach; ++y) {
      const int row = (at / kSide + y + kSide) % kSide;
      for (int x = -kReach; x <= kReach; ++x) {
        const int column = (at + x + kSide) % kSide;
        crowds_[static_cast<size_t>(row * kSide + column)] +=
            sign * kWeights[static_cast<size_t>(x * x + y * y)];
      }
      FindExtremes(row);
    }
  }

  // The first in row order, if several dots or gaps are equal.
  int MostCrowdedDot() const {
    return *std::ranges::max_element(dot_of_row_, {}, [this](int at) {
      return at < 0 ? -1 : crowds_[static_cast<size_t>(at)];
    });
  }
  int LeastCrowdedGap() const {
    return *std::ranges::min_element(gap_of_row_, {}, [this](int at) {
      return at < 0 ? INT64_MAX : crowds_[static_cast<size_t>(at)];
    });
  }

 private:
  // Sets -1 if the row has no dot, or no gap.
  void FindExtremes(int row) {
    int dot = -1;
    int gap = -1;
    for (int at = row * kSide; at < (row + 1) * kSide; ++at) {
      const int64_t crowd = crowds_[static_cast<size_t>(at)];
      if (Has(at)) {
        if (dot < 0 || crowd > crowds_[static_cast<size_t>(dot)]) dot = at;
      } else if (gap < 0 || crowd < crowds_[static_cast<size_t>(gap)]) {
        gap = at;
      }
    }
    dot_of_row_[static_cast<size_t>(row)] = dot;
    gap_of_row_[static_cast<size_t>(row)] = gap;
  }

  std::vector<bool> has_ = std::vector<bool>(kPixels);
  std::vector<int64_t> crowds_ = std::vector<int64_t>(kPixels);
  std::array<int, kSide> dot_of_row_{};
  std::array<int, kSide> gap_of_row_{};
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

int main() {
  const Dots first = FirstDots();
  std::vector<int> ranks(kPixels);
  Dots fewer = first;
  for (int rank = kFirstDots - 1; rank >= 0; --rank) {
    const int at = fewer.MostCrowdedDot();
    fewer.Flip(at);
    ranks[static_cast<size_t>(at)] = rank;
  }
  Dots more = first;
  for (int rank = kFirstDots; rank < kPixels; ++rank) {
    const int at = more.LeastCrowdedGap();
    more.Flip(at);
    ranks[static_cast<size_t>(at)] = rank;
  }
  for (const int rank : ranks) std::printf("%d,\n", rank);
  return std::ferror(stdout) || std::fflush(stdout) != 0;
}
