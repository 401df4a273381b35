// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/tones/dot_model.h"

#include <cmath>
#include <numbers>

#include "halftone/page/tone_curve.h"

namespace halftoned {

Result<DotModel> DotModel::OfDiameter(int diameter) {
  if (diameter < 100 || diameter > 160) {
    return BadInput("a dot's diameter must be in 100 … 160");
  }
  const double d = diameter / 100.0;
  const double dot = std::numbers::pi / 4 * d * d;
  // The intersection of two circles one pitch apart.
  const double lens = d * d / 2 * std::acos(1 / d) - std::sqrt(d * d - 1) / 2;
  return DotModel{static_cast<int32_t>(std::lround(dot * kWhite)),
                  static_cast<int32_t>(std::lround(lens * kWhite))};
}

}  // namespace halftoned
