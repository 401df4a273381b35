// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The word that a strip passes on for a column (row_waves.h).

#pragma once

#include <cstdint>

#include "halftone/page/recipe.h"

namespace halftoned::cuda::spread {

constexpr uint32_t CarryWord(int sum, int other) {
  return static_cast<uint16_t>(sum) | static_cast<uint32_t>(other) << 16;
}

// The word of a column outside the page.
inline uint32_t OutsideCarryWord(const Recipe& recipe) {
  const auto planes = recipe.carry_planes();
  const auto start = [](const CarryPlane& plane) {
    return plane.start - plane.min;
  };
  return CarryWord(planes.size() > 1 ? start(planes[0]) : 0,
                   start(planes.back()));
}

}  // namespace halftoned::cuda::spread
