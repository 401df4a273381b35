// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/flat_dots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "bench/tone/fourier.h"

namespace halftoned::bench {
namespace {

constexpr int kSide = FlatDots::kSide;
// By frequency across and down, of which the upper half is negative.
std::vector<float> PowerOf(const FlatDots& dots) {
  const double share = dots.Share();
  std::array<double, kSide> window;
  for (int i = 0; i < kSide; ++i) {
    window[i] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (i + 0.5) / kSide);
  }
  std::vector<Complex> field(kSide * kSide);
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      field[i * kSide + j] =
          static_cast<float>((dots.At(i, j) - share) * window[i] * window[j]);
    }
  }
  Transform(field);
  std::vector<float> power(field.size());
  std::ranges::transform(field, power.begin(),
                         [](Complex value) { return std::norm(value); });
  return power;
}

// Rings of frequencies, cut in sectors: how much a ring's sectors differ.
double Anisotropy(const std::vector<float>& power) {
  constexpr int kRings = 32;
  constexpr int kSectors = 12;
  struct Cell {
    double power = 0;
    int count = 0;
  };
  std::array<std::array<Cell, kSectors>, kRings> rings{};
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      const double y = FrequencyAt(i);
      const double x = FrequencyAt(j);
      const int ring = static_cast<int>(std::hypot(x, y) * 2 * kRings);
      if (ring == 0 || ring >= kRings) continue;
      const double angle = std::atan2(y, x) / std::numbers::pi + 2;
      const int sector = static_cast<int>(angle * kSectors) % kSectors;
      rings[ring][sector].power += power[i * kSide + j];
      ++rings[ring][sector].count;
    }
  }
  double deviation = 0;
  double all = 0;
  for (const auto& ring : rings) {
    Cell sum;
    for (const Cell& cell : ring) {
      sum.power += cell.power;
      sum.count += cell.count;
    }
    if (sum.count == 0) continue;
    const double mean = sum.power / sum.count;
    double squares = 0;
    for (const Cell& cell : ring) {
      const double off = cell.count ? cell.power / cell.count - mean : 0;
      squares += off * off / kSectors;
    }
    deviation += std::sqrt(squares) * sum.count;
    all += sum.power;
  }
  return deviation / all;
}

// One cluster, as it is followed from dot to dot.
struct Found {
  int dots = 0;
  int top = kSide, bottom = 0, left = kSide, right = 0;

  bool IsWhole() const {
    return top > 0 && left > 0 && bottom < kSide - 1 && right < kSide - 1;
  }
  int Extent() const { return std::max(bottom - top, right - left) + 1; }
};

Found Follow(const FlatDots& dots, int first, std::vector<uint8_t>& is_seen) {
  Found found;
  std::vector<int> open = {first};
  is_seen[first] = 1;
  while (!open.empty()) {
    const int row = open.back() / kSide;
    const int column = open.back() % kSide;
    open.pop_back();
    ++found.dots;
    found.top = std::min(found.top, row);
    found.bottom = std::max(found.bottom, row);
    found.left = std::min(found.left, column);
    found.right = std::max(found.right, column);
    for (int i = std::max(row - 1, 0); i <= std::min(row + 1, kSide - 1); ++i) {
      for (int j = std::max(column - 1, 0);
           j <= std::min(column + 1, kSide - 1); ++j) {
        const int at = i * kSide + j;
        if (!dots.At(i, j) || is_seen[at]) continue;
        is_seen[at] = 1;
        open.push_back(at);
      }
    }
  }
  return found;
}

}  // namespace

double FlatDots::Share() const {
  return std::accumulate(is_dot_.begin(), is_dot_.end(), 0.0) / (kSide * kSide);
}

double FlatDots::EdgesOfDot() const {
  int edges = 0;
  for (int i = 1; i < kSide; ++i) {
    for (int j = 1; j < kSide; ++j) {
      edges += (At(i, j) != At(i, j - 1)) + (At(i, j) != At(i - 1, j));
    }
  }
  return edges / (Share() * kSide * kSide);
}

Clusters ClustersOf(const FlatDots& dots) {
  std::vector<uint8_t> is_seen(kSide * kSide);
  std::vector<int> sizes;
  std::vector<int> extents;
  for (int at = 0; at < kSide * kSide; ++at) {
    if (is_seen[at] || !dots.At(at / kSide, at % kSide)) continue;
    const Found found = Follow(dots, at, is_seen);
    // What reaches far counts even if it goes on behind the border.
    if (!found.IsWhole() && found.dots < kSide * kSide / 8) continue;
    sizes.push_back(found.dots);
    extents.push_back(found.Extent());
  }
  if (sizes.empty()) return {.size_deviation = 0, .largest_extent = kSide};
  const auto count = static_cast<double>(sizes.size());
  const double mean = std::accumulate(sizes.begin(), sizes.end(), 0.0) / count;
  double squares = 0;
  for (const int size : sizes) squares += (size - mean) * (size - mean);
  std::ranges::sort(extents);
  return {.size_deviation = std::sqrt(squares / count),
          .largest_extent =
              static_cast<double>(extents[static_cast<size_t>(0.99 * count)])};
}

Spectrum SpectrumOf(const FlatDots& dots, double principal) {
  const std::vector<float> power = PowerOf(dots);
  double low = 0;
  double all = 0;
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      const double y = FrequencyAt(i) / principal;
      const double x = FrequencyAt(j) / principal;
      const float p = power[i * kSide + j];
      low += p * std::exp(-2 * (x * x + y * y));
      all += p;
    }
  }
  return {.low_share = low / all, .anisotropy = Anisotropy(power)};
}

}  // namespace halftoned::bench
