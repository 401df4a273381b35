// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Islands: the gray parts of a strip. If a recipe prints pure pixels unchanged,
// these count as outside of the page, so only the columns around gray pixels
// need the wavefront; the bits of all other columns are those of the samples.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/page/band.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned::simd {

// Columns, from a multiple of 8 to one, or to the page's end.
struct Island {
  int32_t first;
  int32_t end;
};

// Columns that a strip computes in the time that it takes to begin and to end
// an island: its rows begin one after another, four columns apart.
inline constexpr int32_t kCostOfIsland = 512;

// The limits of pure samples, if pages of this recipe may have islands.
std::optional<PureLimits> IslandLimits(const Recipe& recipe, Depth depth);

// Used by one thread.
class IslandFinder {
 public:
  IslandFinder(const Page& page, const PureLimits& limits);

  // Finds the islands of a strip, from left to right. Gaps of up to
  // kCostOfIsland columns are part of an island. Also writes the bits of all
  // rows as if they were pure, unless the strip is one island of the whole
  // width.
  void Find(const GrayBand& gray, const BitRoom& bits,
            std::vector<Island>& islands);

  // Whether a strip has no island, and then writes its bits. Ends at the first
  // row with a gray pixel.
  bool IsPure(const GrayBand& gray, const BitRoom& bits);

 private:
  // Whether the row has a gray pixel.
  bool AddRow(const std::byte* gray, std::byte* bits);
  void CutIslands(std::vector<Island>& islands) const;

  const int32_t width_;
  const size_t words_;
  const PureLimits limits_;
  const PureKernels kernels_;
  // As the kernels pack them; see pure_bits.h.
  std::vector<uint64_t> bits_;  // of a row
  std::vector<uint64_t> gray_;  // of all rows so far
};

}  // namespace halftoned::simd
