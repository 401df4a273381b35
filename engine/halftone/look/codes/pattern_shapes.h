// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a row of bars has the structure of PDF417 or GS1 DataBar: codes with
// narrow quiet zones and with spaces that can be wider. They are recognized by
// their fixed patterns, in both directions. Edges and tolerances are those of
// bar_shapes.h; the distance between a left side and a right side may be off by
// one more pixel.
//
// PDF417: the start, 8 1 1 1 1 1 1 3, and the stop, 7 1 1 3 1 1 1 2 1, which
// are 17 modules times a whole number of at least 4 apart. Between them are
// about 8 edges per 17 modules, and nothing is wider than 6 modules. A skewed
// row may pass from one row of the code to another.
//
// DataBar: a guard, characters of 8 elements, and finders of 5 elements and 15
// modules, with one of the 15 combinations of widths that DataBar uses: the two
// elements at one end are one module each. The omnidirectional
// code has characters of 16, 15, 15 and 16 modules, with a finder after the
// first and before the last. The expanded code has at least 4 characters of 17
// modules, with a finder after every odd one.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/look/codes/bar_edges.h"

namespace halftoned {

struct PatternLine {
  std::vector<int64_t> edges;  // of PDF417, those of start and stop
  int64_t module;
  int64_t quiet;    // places that are light on both sides
  bool is_stacked;  // PDF417
};

constexpr size_t kSymbolElements = 8;  // or of a character of DataBar

// How far a distance between two edges may be off, in columns.
constexpr int32_t kColumnsOff = 4;
// Whether two distances, in columns, have roughly the ratio of `one` to `other`
// modules.
bool HaveRatio(int32_t distance, int32_t one, int32_t beside, int32_t other);

// Finds the codes in a row, each at least two modules away from its neighbors.
std::vector<PatternLine> FindPatternLines(BarEdges& found);

// The start of a code whose end is not known yet.
struct PatternBegin {
  int64_t module = 0;  // 0 if there is none
  size_t edges = 0;    // that do not vary within a code
  int64_t widest = 0;  // modules of an element
};

// The start or the stop of PDF417, or a guard, a character and a finder at one
// end of DataBar; and the next symbol, if it is known.
//
// seen: the end of the known part, in the last element; or 0. If it is not 0,
// the second of the two symbols of DataBar need not be known completely, if all
// edges are whole modules apart, within an eighth of a module plus half a
// pixel. A character before a finder must then have widths that DataBar uses. A
// finder needs an element of 5 modules or more; a character, 3 elements.
PatternBegin PatternBeginOf(std::span<const int64_t> edges, int64_t seen);

}  // namespace halftoned
