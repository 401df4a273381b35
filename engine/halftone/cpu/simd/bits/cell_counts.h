// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What EdgeKernels::count counts in a cell, and the cells that no vector
// covers, pixel by pixel. These are compiled once, for the baseline processor:
// at -O3, GCC 14.2 makes AVX-512 of their loops that adds up bright_sum wrong.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/cpu/simd/bits/edge_bits.h"

namespace halftoned::simd {

// In this order.
enum Counted { kAcross, kDown, kBright, kVague, kDimSum, kBrightSum, kCounted };

inline void StoreCounts(const uint64_t (&all)[kCounted], size_t cell,
                        const CellCounts& counts) {
  counts.across[cell] = static_cast<uint8_t>(all[kAcross]);
  counts.down[cell] = static_cast<uint8_t>(all[kDown]);
  counts.bright[cell] = static_cast<uint8_t>(all[kBright]);
  counts.vague[cell] = static_cast<uint8_t>(all[kVague]);
  counts.dim_sum[cell] = static_cast<uint16_t>(all[kDimSum]);
  counts.bright_sum[cell] = static_cast<uint16_t>(all[kBrightSum]);
}

// Sample: uint8_t or uint16_t; the rest is as for EdgeKernels::count.
template <typename Sample>
void CountCell(const std::byte* const* rows, size_t count,
               const CellLevels& levels, size_t cell, size_t columns,
               uint16_t flip, const CellCounts& counts);

}  // namespace halftoned::simd
