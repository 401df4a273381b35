// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether bars have the structure of GS1 DataBar, omnidirectional or expanded:
// the patterns of pattern_shapes.h.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/pattern_shapes.h"

namespace halftoned {

constexpr size_t kFewestOfDataBar = 46;  // edges

// False if the edges of the second and the third character show that DataBarAt
// finds no code; `all` has at least kFewestOfDataBar edges on that side.
inline bool MayBeDataBar(std::span<const int32_t> all, size_t edge,
                         bool turned) {
  const auto column = [&](size_t i) {
    return turned ? -all[edge - i] : all[edge + i];
  };
  const int32_t off = column(30) - 2 * column(22) + column(14);
  return off <= kColumnsOff && off >= -kColumnsOff;
}

// The code that starts, or with `turned` ends, at an edge; its quiet zone is
// not known.
std::optional<PatternLine> DataBarAt(BarEdges& found, size_t edge, bool turned);

// As PatternBeginOf.
PatternBegin BeginOfDataBar(std::span<const int64_t> edges, int64_t seen);

}  // namespace halftoned
