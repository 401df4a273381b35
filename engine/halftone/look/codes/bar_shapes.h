// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a row of bars has the structure of a linear bar code. The content of
// the code does not matter.
//
// Edges are in 1/256 of a pixel, from left to right: the first is the left side
// of a bar, the last the right side of one. Distances are measured between left
// sides or between right sides, because printing programs widen bars by up to a
// pixel. Each distance may be off by a quarter of a module plus 3/4 of a pixel.
//
// In symbols of Code 128 and digits of EAN, all these distances are whole
// modules, and elements are 1 to 4 modules wide.
//
// Code 128: at least 4 symbols of 6 elements and 11 modules, then a stop of 7
// elements. The first symbol starts with 2 1 1; the stop is 2 3 3 1 1 1 2.
// EAN-13 and EAN-8: guards of 3, 5 and 3 elements of one module each, and
// digits of 4 elements and 7 modules. ITF: a start of 4 narrow elements, then
// at least 3 pairs of digits, each 5 bars and 5 spaces with exactly 2 wide bars
// and 2 wide spaces, then a wide and 2 narrow elements.
//
// Codes are read in both directions. At least 3 of the symbols must differ by
// half a module, so that repeating stripes are not a code.

#pragma once

#include <cstdint>
#include <span>

#include "halftone/look/codes/bar_edges.h"

namespace halftoned {

// The fewest edges of a code, and the most that are examined.
constexpr size_t kFewestEdges = 32;
constexpr size_t kMostEdges = 512;

// Whether `distance` is this number of modules, within the tolerance.
bool AreModules(int64_t distance, int64_t modules, int64_t module);
// Whether the edges from `at` on have these distances, each from an edge to the
// next one of the same kind.
bool ArePairs(std::span<const int64_t> edges, size_t at,
              std::span<const int> pairs, int64_t module);

// Whether any code has that many edges.
bool MayBeCode(size_t edges);

// The module of the code, or 0 if there is none.
int64_t ModuleOf(std::span<const int64_t> edges);

// The module of a code whose end is not known yet, or 0. In either direction of
// the code, the edges must start with
//
// - Code 128: the start or the stop, and another symbol;
// - EAN: a guard and 3 digits;
// - ITF: the start or the stop, and 2 pairs of digits.
//
// With `enough`, one symbol, digit or pair fewer is enough. Every known symbol
// must be valid; the known elements of the next one must be those with which a
// symbol can begin. Two must differ, or three if four or more are known.
int64_t ModuleOfBegin(std::span<const int64_t> edges, bool enough);

}  // namespace halftoned
