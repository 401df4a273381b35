// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/print_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "bench/tone/flat_page.h"

namespace halftoned::bench {
namespace {

constexpr int32_t kSide = 176;  // of the flat page
constexpr int32_t kFirst = 48;  // row and column that are looked at
constexpr int32_t kReach = 3;   // pixels over which a dot is felt
constexpr int kParts = 4;       // of a pixel, each way
constexpr double kFullDensity = 1.5;

constexpr int kAround = 2 * kReach + 1;
constexpr size_t kNear = size_t{kAround} * kAround;

// The logarithm of the light that a dot lets through, by where it lies.
using Kernel = std::array<std::array<double, kNear>, kParts * kParts>;

Kernel KernelOf(const Dots& dots) {
  Kernel kernel;
  for (int part = 0; part < kParts * kParts; ++part) {
    const double y = (part / kParts + 0.5) / kParts - 0.5;
    const double x = (part % kParts + 0.5) / kParts - 0.5;
    for (size_t n = 0; n < kNear; ++n) {
      const double dy = y - (static_cast<int>(n) / kAround - kReach);
      const double dx = x - (static_cast<int>(n) % kAround - kReach);
      const double from_edge =
          dots.diameter / 2 - std::hypot(dx, dy) * dots.pitch;
      const double t = std::clamp(from_edge / dots.edge + 0.5, 0.0, 1.0);
      kernel[static_cast<size_t>(part)][n] =
          -kFullDensity * std::log(10) * t * t * (3 - 2 * t);
    }
  }
  return kernel;
}

double MeanLight(const std::vector<bool>& black, const Kernel& kernel) {
  double sum = 0;
  int64_t count = 0;
  std::vector<size_t> dots;
  for (int32_t i = kFirst; i < kSide - kReach; ++i) {
    for (int32_t j = kFirst; j < kSide - kReach; ++j) {
      dots.clear();
      for (size_t n = 0; n < kNear; ++n) {
        const auto y =
            static_cast<size_t>(i + static_cast<int32_t>(n) / kAround - kReach);
        const auto x =
            static_cast<size_t>(j + static_cast<int32_t>(n) % kAround - kReach);
        if (black[y * kSide + x]) dots.push_back(n);
      }
      for (const auto& part : kernel) {
        double log_light = 0;
        for (const size_t n : dots) log_light += part[n];
        sum += std::exp(log_light);
        ++count;
      }
    }
  }
  return sum / static_cast<double>(count);
}

}  // namespace

double PrintedLight(const Recipe& recipe, uint8_t sample, const Dots& dots) {
  const Kernel kernel = KernelOf(dots);
  const double solid =
      MeanLight(std::vector<bool>(size_t{kSide} * kSide, true), kernel);
  const double light = MeanLight(BlackPixels(recipe, sample, kSide), kernel);
  return (light - solid) / (1 - solid);
}

}  // namespace halftoned::bench
