// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/scale/axis_filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace halftoned {
namespace {

constexpr double kUnits = 1 << 20;  // of weight

// B = C = 1/3.
double Mitchell(double x) {
  x = std::abs(x);
  if (x >= 2) return 0;
  if (x < 1) return (7 * x * x * x - 12 * x * x + 16.0 / 3) / 6;
  return (-7.0 / 3 * x * x * x + 12 * x * x - 20 * x + 32.0 / 3) / 6;
}

double Lanczos(double x) {
  if (x == 0) return 1;
  if (std::abs(x) >= 3) return 0;
  const double angle = x * std::numbers::pi;
  return 3 * std::sin(angle) * std::sin(angle / 3) / (angle * angle);
}

// Rounds running sums, so that their differences add up to exactly 1.
void RoundToUnits(const std::vector<double>& exact,
                  std::vector<float>& weights) {
  double total = 0;
  for (const double weight : exact) total += weight;
  double sum = 0;
  double rounded_before = 0;
  weights.clear();
  for (const double weight : exact) {
    sum += weight;
    const double rounded = std::floor(sum / total * kUnits + 0.5);
    weights.push_back(static_cast<float>((rounded - rounded_before) / kUnits));
    rounded_before = rounded;
  }
}

}  // namespace

AxisFilter::AxisFilter(int64_t old_size, int64_t new_size)
    : old_size_(old_size),
      new_size_(new_size),
      stretch_(std::max(1.0, double(old_size) / double(new_size))),
      radius_((new_size > old_size ? 2 : 3) * stretch_) {}

int64_t AxisFilter::most_taps() const {
  return std::min(old_size_, 2 * static_cast<int64_t>(radius_) + 2);
}

double AxisFilter::WeightAt(double distance) const {
  return new_size_ > old_size_ ? Mitchell(distance)
                               : Lanczos(distance / stretch_);
}

void AxisFilter::Find(int64_t at, Taps& taps) const {
  if (new_size_ == old_size_) {
    taps.first = at;
    taps.weights.assign(1, 1.0F);
    return;
  }
  const double center =
      (double(at) + 0.5) * double(old_size_) / double(new_size_) - 0.5;
  const auto first =
      std::max(int64_t{0}, static_cast<int64_t>(std::ceil(center - radius_)));
  const auto last = std::min(
      old_size_ - 1, static_cast<int64_t>(std::floor(center + radius_)));
  std::vector<double> exact;
  for (int64_t i = first; i <= last; ++i) {
    exact.push_back(WeightAt(double(i) - center));
  }
  taps.first = first;
  RoundToUnits(exact, taps.weights);
}

}  // namespace halftoned
