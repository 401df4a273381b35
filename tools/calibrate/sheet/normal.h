// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HALFTONED_TOOLS_CALIBRATE_SHEET_NORMAL_H_
#define HALFTONED_TOOLS_CALIBRATE_SHEET_NORMAL_H_

#include <cmath>
#include <numbers>

namespace halftoned {

// The share of a normal distribution of mean 0 and deviation 1 below x.
inline double NormalBelow(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_CALIBRATE_SHEET_NORMAL_H_
