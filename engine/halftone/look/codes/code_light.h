// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threshold between the bars and the background of a code that has been
// found. It is halfway between d and b: of the known pixels, by their highest
// eight bits, a twentieth are darker than d, and a twentieth are lighter than
// b. Therefore, neither blurred thin bars nor the ringing of scaled pictures
// shifts the threshold.

#pragma once

#include <array>
#include <cstdint>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/code_area.h"

namespace halftoned {

class CodeLight {
 public:
  explicit CodeLight(const LightRows& rows) : rows_(rows) {}

  // Adds the pixels between two places of a row, if it is known.
  void AddRow(int64_t row, int64_t from, int64_t to);
  void AddArea(const CodeArea& area);
  // The least light of the background.
  uint16_t LightFrom() const;

 private:
  const LightRows& rows_;
  std::array<int64_t, 256> counts_{};
};

// The least light of the background of a code; `area` is without its quiet
// zone.
uint16_t LightFromOf(const LightRows& rows, const CodeArea& area);

}  // namespace halftoned
