// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a row of bars has the structure of a linear bar code. What a code
// says does not matter.
//
// Edges are in 1/256 of a pixel, from left to right: the first is the left side
// of a bar, the last the right side of one. Distances are taken between edges
// of one kind, because printing programs widen bars by up to a pixel. Each may
// be off by a quarter of a module and 3/4 of a pixel.
//
// Code 128: 6 elements of 11 modules each, at least 4 times; then a stop of 7
// elements. The starts 2 1 1 and the stop 2 3 3 1 1 1 2 must be there, from
// either side. EAN-13 and EAN-8: guards of 3, 5 and 3 elements of a module
// each, digits of 4 elements and 7 modules. ITF: a start of 4 narrow elements,
// at least 3 times 5 bars and 5 spaces with exactly 2 wide ones each, then a
// wide and 2 narrow elements; from either side. So that stripes that repeat
// are no code, at least 3 of the symbols must differ.

#pragma once

#include <cstdint>
#include <span>

#include "halftone/look/codes/bar_edges.h"

namespace halftoned {

// The fewest edges of a code, and the most that are looked at.
constexpr size_t kFewestEdges = 32;
constexpr size_t kMostEdges = 512;

// The module of the code, or 0 if there is none.
int64_t ModuleOf(std::span<const int64_t> edges);

// The module of a code whose end is not known yet. The edges must contain, from
// either side, for Code 128 the start or the stop and another symbol, for EAN a
// guard and 3 digits, for ITF a start or a stop and 2 pairs of digits; with
// `enough`, one symbol, digit or pair less. Every known symbol must be valid;
// two must differ, and three of four or more.
int64_t ModuleOfBegin(std::span<const int64_t> edges, bool enough);

}  // namespace halftoned
