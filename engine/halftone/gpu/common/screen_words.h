// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a recipe's screen lies in memory, behind the values of BandJob::tone:
//
//   screen = rows columns shift levels { offset }    a word each, row after row

#pragma once

#include <cstdint>

#include "halftone/gpu/common/lanes.h"
#include "halftone/gpu/common/pixel_term.h"
#include "halftone/page/tone_curve.h"

namespace halftoned::cuda {

struct ScreenWords {
  static constexpr int kRows = 0;
  static constexpr int kColumns = 1;
  static constexpr int kShift = 2;
  static constexpr int kLevels = 3;
  static constexpr int kOffsets = 4;
};

// The packed sample of a level (levels.h).
HALFTONED_BOTH constexpr uint32_t SampleOf(uint32_t level, uint32_t levels) {
  return levels == 8 ? (30 * level + 7) / 14 : level;
}

}  // namespace halftoned::cuda
