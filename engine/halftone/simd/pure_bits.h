// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pixels of a row are pure black and which pure white, and which gray
// ones lie between, as bits: column j is bit j % 64 of word j / 64.

#ifndef HALFTONED_HALFTONE_SIMD_PURE_BITS_H_
#define HALFTONED_HALFTONE_SIMD_PURE_BITS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/page.h"

namespace halftoned::simd {

// Samples, once they are turned by ^ flip, rise with the light.
struct PureLimits {
  uint16_t flip;         // 0, or all bits of a sample
  uint16_t black_end;    // below it a sample is black; 1 … the highest sample
  uint16_t white_begin;  // from it on white; black_end … the highest sample
};

// The pure pixels of a row. Both pointers have a word before the first column's
// and one behind the last column's, which are 0, as are bits of no column.
struct PureRow {
  uint64_t* black;
  uint64_t* white;
};

struct PureKernels {
  // Finds the pure pixels of a row.
  void (*find)(const std::byte* row, size_t columns, const PureLimits& limits,
               const PureRow& pure);
  // Writes the bits of pixels that are not pure and that have both kinds around
  // them, for so many words of the row that is `here`. Bits of no column may be
  // set. Whether there are any.
  bool (*find_edges)(const PureRow& above, const PureRow& here,
                     const PureRow& below, size_t words, uint64_t* edges);
};

// Those that run here, the fastest first; at least one.
std::vector<PureKernels> PureKernelsFor(Depth depth);

}  // namespace halftoned::simd

#endif  // HALFTONED_HALFTONE_SIMD_PURE_BITS_H_
