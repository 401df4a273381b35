// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What soft_edges.h and code_cells.h do with whole rows, in vectors. Rows of
// bits are as in pure_bits.h. Samples are turned by `flip`, so that they rise
// with the light; cells are 8 columns wide.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/page/page.h"

namespace halftoned::simd {

constexpr int32_t kCellSide = 8;
constexpr size_t kSoftReach = 3;   // of black and white around an edge
constexpr size_t kPaperReach = 2;  // of white around what is cleaned

// The rows around one, which is in the middle.
struct SoftRows {
  PureRow pure[2 * kSoftReach + 1];
  PureRow near[2 * kSoftReach + 1];  // dark and light, beside edges
  const uint64_t* zone;              // where the row may change
};

// From these turned samples on.
struct SoftLevels {
  uint16_t flip;
  uint16_t white_from;  // an edge becomes white
  uint16_t clean_from;  // what is beside paper becomes white
};

// Turned samples of each column: light, dim and bright from these on.
struct CellLevels {
  const std::byte* light;
  const std::byte* dim;
  const std::byte* bright;
};

// The counts of each cell, as code_cells.h defines them, and sums of the
// highest eight bits of turned samples.
struct CellCounts {
  uint8_t* across;
  uint8_t* down;
  uint8_t* bright;
  uint8_t* vague;
  uint16_t* dim_sum;  // of samples below dim
  uint16_t* bright_sum;
};

struct EdgeKernels {
  std::string_view target;  // as in pure_bits.h
  // Snaps and cleans the pixels of the row in the middle (soft_edges.h).
  void (*soften)(const SoftRows& rows, const SoftLevels& levels, std::byte* row,
                 size_t columns);
  // The least and the most turned sample of each column of some rows, at least
  // one, and then of each cell.
  void (*extremes)(const std::byte* const* rows, size_t count, size_t columns,
                   uint16_t flip, std::byte* room, uint16_t* least,
                   uint16_t* most);
  // Counts in those cells of some rows, at least one, for which `cells` has a
  // byte of ones; counts of other cells are undefined.
  void (*count)(const std::byte* const* rows, size_t count,
                const CellLevels& levels, const uint64_t* cells, size_t columns,
                uint16_t flip, const CellCounts& counts);
  // Where `mask` is set, turned samples become white if they are at least those
  // of `from`, otherwise black.
  void (*decide)(const std::byte* from, const uint64_t* mask, size_t columns,
                 uint16_t flip, std::byte* row);
};

// The kernels of a target of PureKernelsFor.
EdgeKernels EdgeKernelsOf(std::string_view target, Depth depth);

}  // namespace halftoned::simd
