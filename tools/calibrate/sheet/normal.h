// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cmath>
#include <numbers>

namespace halftoned {

// The part below x of a normal distribution with mean 0 and deviation 1.
inline double NormalBelow(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

}  // namespace halftoned
