// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cmath>
#include <numbers>

namespace halftoned {

// The share of a normal distribution of mean 0 and deviation 1 below x.
inline double NormalBelow(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

}  // namespace halftoned
