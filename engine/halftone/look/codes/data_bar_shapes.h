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

// The code that starts, or with `turned` ends, at an edge; its quiet zone is
// not known.
std::optional<PatternLine> DataBarAt(BarEdges& found, size_t edge, bool turned);

// As PatternBeginOf.
PatternBegin BeginOfDataBar(std::span<const int64_t> edges, int64_t seen);

}  // namespace halftoned
