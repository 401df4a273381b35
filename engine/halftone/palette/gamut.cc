// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole numbers only, so that every machine finds the same color. The search
// holds a mixture of the palette's colors. Each step moves weight from the
// color that leads farthest away from the goal to the one that leads most
// directly to it.

#include "halftone/palette/gamut.h"

#include <algorithm>
#include <array>

#include "halftone/palette/palette.h"

namespace halftoned {
namespace {

// Björn Ottosson's matrices of OKLab (2020), in 4096ths: from light to cones,
// and from the cube roots of these to lightness and two opponent colors.
using Matrix = std::array<std::array<int64_t, 3>, 3>;
constexpr Matrix kCones = {{{1688, 2197, 211},  //
                            {868, 2788, 440},
                            {362, 1154, 2580}}};
constexpr Matrix kOpponents = {{{862, 3251, -17},  //
                                {8102, -9948, 1846},
                                {106, 3206, -3312}}};

constexpr int64_t kDarkestCone = 82;  // cones below 2 % count as 2 %
constexpr int64_t kOneWeight = 1 << 16;
constexpr int64_t kLeastShare = 4;  // steps that move less end the search
constexpr int kMostSteps = 400;
// A distance; 16384 is the lightness of white.
constexpr int64_t kUnseen = 32;

using LightPoint = std::array<int64_t, 3>;

int64_t Dot(const LightPoint& a, const LightPoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

LightPoint Minus(const LightPoint& a, const LightPoint& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// In 16ths of Light's unit.
LightPoint ConesOf(const Light& light) {
  LightPoint cones{};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) cones[i] += kCones[i][j] * light[j];
    cones[i] >>= 8;
  }
  return cones;
}

// The largest whole number whose cube is at most `x`, for x < 2^30.
int64_t CubeRoot(int64_t x) {
  int64_t root = 0;
  for (int64_t bit = 512; bit > 0; bit /= 2) {
    const int64_t next = root + bit;
    if (next * next * next <= x) root = next;
  }
  return root;
}

// OKLab near one color: a linear map, the derivative there, except for a
// factor.
class NearColor {
 public:
  explicit NearColor(const Light& light) {
    const LightPoint cones = ConesOf(light);
    for (size_t j = 0; j < 3; ++j) {
      const int64_t cone = std::max(cones[j] / 16, kDarkestCone);
      const int64_t root = CubeRoot(cone << 18);
      steepness_[j] = (int64_t{1} << 30) / (root * root);
    }
  }

  LightPoint At(const Light& light) const {
    const LightPoint cones = ConesOf(light);
    LightPoint point{};
    for (size_t i = 0; i < 3; ++i) {
      for (size_t j = 0; j < 3; ++j) {
        point[i] += kOpponents[i][j] * steepness_[j] * cones[j];
      }
      point[i] >>= 24;
    }
    return point;
  }

 private:
  std::array<int64_t, 3> steepness_;
};

class Mixture {
 public:
  Mixture(std::span<const Light> mixed, const Light& wanted)
      : mixed_(mixed), count_(mixed.size()) {
    const NearColor near(wanted);
    goal_ = near.At(wanted);
    size_t nearest = 0;
    for (size_t k = 0; k < count_; ++k) {
      points_[k] = near.At(mixed[k]);
      if (DistanceOf(points_[k]) < DistanceOf(points_[nearest])) nearest = k;
    }
    weights_[nearest] = kOneWeight;
  }

  void Search() {
    for (int i = 0; i < kMostSteps && !IsAtGoal() && Step(); ++i) {
    }
  }

  bool IsAtGoal() const { return DistanceOf(Here()) <= kUnseen * kUnseen; }

  Light light() const {
    Light light{};
    for (size_t c = 0; c < 3; ++c) {
      int64_t sum = kOneWeight / 2;
      for (size_t k = 0; k < count_; ++k) sum += weights_[k] * mixed_[k][c];
      light[c] = static_cast<int32_t>(sum / kOneWeight);
    }
    return light;
  }

 private:
  int64_t DistanceOf(const LightPoint& point) const {
    const LightPoint way = Minus(point, goal_);
    return Dot(way, way);
  }

  LightPoint Here() const {
    LightPoint sum{};
    for (size_t k = 0; k < count_; ++k) {
      for (size_t i = 0; i < 3; ++i) sum[i] += weights_[k] * points_[k][i];
    }
    for (int64_t& number : sum) number >>= 16;
    return sum;
  }

  // False if no step leads nearer.
  bool Step() {
    const LightPoint way = Minus(Here(), goal_);
    size_t to = 0;
    size_t from = count_;
    for (size_t k = 0; k < count_; ++k) {
      const int64_t along = Dot(way, points_[k]);
      if (along < Dot(way, points_[to])) to = k;
      if (weights_[k] == 0) continue;
      if (from == count_ || along > Dot(way, points_[from])) from = k;
    }
    const LightPoint step = Minus(points_[to], points_[from]);
    const int64_t length = Dot(step, step);
    if (length == 0) return false;
    const int64_t share =
        std::min(-Dot(way, step) * kOneWeight / length, weights_[from]);
    if (share < kLeastShare) return false;
    weights_[to] += share;
    weights_[from] -= share;
    return true;
  }

  const std::span<const Light> mixed_;
  const size_t count_;
  LightPoint goal_;
  std::array<LightPoint, Palette::kMost> points_{};
  std::array<int64_t, Palette::kMost> weights_{};
};

}  // namespace

Light InGamut(const Light& wanted, std::span<const Light> mixed) {
  Mixture mixture(mixed, wanted);
  mixture.Search();
  return mixture.IsAtGoal() ? wanted : mixture.light();
}

}  // namespace halftoned
