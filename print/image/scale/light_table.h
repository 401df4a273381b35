// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts gray encoded like sRGB (sGray) to linear light and back. Light is in
// 0 … 1. Pictures must be scaled in light: the mean of a black and a white
// pixel reflects half the light, which is 188 of 255 and not 128.
//
// Both ways go through tables of floats, and only additions and multiplications
// follow, so all machines make the same gray.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "halftone/page/page.h"

namespace halftoned {

class LightTable {
 public:
  explicit LightTable(Depth depth);

  // The light of each code.
  const float* light() const { return light_.data(); }

  // The code nearest to `light`, which is clipped. The table's error is less
  // than a tenth of a code, even with 16 bits.
  template <typename Sample>
  Sample CodeOf(float light) const {
    const float place =
        std::clamp(light, 0.0F, 1.0F) * static_cast<float>(kSteps);
    const int step = static_cast<int>(place);
    const float* code = &codes_[static_cast<size_t>(step)];
    const float part = place - static_cast<float>(step);
    return static_cast<Sample>(code[0] + (code[1] - code[0]) * part + 0.5F);
  }

 private:
  static constexpr int kSteps = 1 << 14;

  std::vector<float> light_;
  std::vector<float> codes_;  // at each step of light, and one beyond
};

}  // namespace halftoned
