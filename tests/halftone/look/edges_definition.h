// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What text-edges does (edge_snapper.h, soft_edges.h, gray_strokes.h,
// code_cells.h), in plain loops: an oracle that shares no code with the
// product.

#pragma once

#include <cstdint>
#include <vector>

#include "halftone/look/settings.h"
#include "halftone/page/page.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

// Samples of a page, row by row.
struct SamplePage {
  int width;
  int rows;
  Depth depth;
  std::vector<uint16_t> samples;

  uint16_t& at(int i, int j) { return samples[Index(i, j)]; }
  uint16_t at(int i, int j) const { return samples[Index(i, j)]; }
  size_t Index(int i, int j) const {
    return static_cast<size_t>(i) * static_cast<size_t>(width) +
           static_cast<size_t>(j);
  }
};

SamplePage EdgesByDefinition(const SamplePage& page, const ToneCurve& curve,
                             TextEdges edges, bool darkens_strokes);

}  // namespace halftoned
