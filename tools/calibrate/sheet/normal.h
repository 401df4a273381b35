// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cmath>
#include <numbers>

namespace halftoned {

// The cumulative distribution function of the standard normal distribution.
inline double NormalBelow(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

}  // namespace halftoned
