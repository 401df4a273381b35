// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the implementations of the recipe `palette` have in common.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "halftone/palette/palette_model.h"

namespace halftoned {

// Rows of a page, and the state between them.
struct PaletteJob {
  const PaletteModel& model;
  int32_t width;
  int32_t rows;
  const uint8_t* rgb;  // three bytes per pixel
  size_t rgb_pitch;
  uint8_t* indices;  // a byte per pixel
  size_t index_pitch;
  // By color and column: the errors that the next row gets. In: those of the
  // row above; out: those of the last row. Vectors may read kSumPad numbers
  // beyond each end of the width.
  std::array<int16_t*, 3> sums;
};

inline constexpr size_t kSumPad = 64;

using PaletteKernel = void (*)(const PaletteJob& job);

// The definition, in plain loops.
void PaletteByDefinition(const PaletteJob& job);

struct PaletteEngine {
  std::string_view name;
  bool (*runs_here)();
  PaletteKernel kernel;
};

// The fastest first; the definition, `scalar`, last.
std::vector<PaletteEngine> PaletteEngines();

}  // namespace halftoned
