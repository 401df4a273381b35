// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/simd/bits/cell_counts.h"

#include <algorithm>

namespace halftoned::simd {

template <typename Sample>
void CountCell(const std::byte* const* rows, size_t count,
               const CellLevels& levels, size_t cell, size_t columns,
               uint16_t flip, const CellCounts& counts) {
  const size_t first = kCellSide * cell;
  const size_t end = std::min(first + kCellSide, columns);
  const auto light_at = [&](size_t i, size_t j) {
    return static_cast<Sample>(reinterpret_cast<const Sample*>(rows[i])[j] ^
                               flip);
  };
  const auto reaches = [&](size_t i, size_t j, const std::byte* from) {
    return light_at(i, j) >= reinterpret_cast<const Sample*>(from)[j];
  };
  uint64_t all[kCounted] = {};
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = first; j < end; ++j) {
      const bool is_light = reaches(i, j, levels.light);
      const bool is_dim = !reaches(i, j, levels.dim);
      const bool is_bright = reaches(i, j, levels.bright);
      const auto high_bits =
          static_cast<unsigned>(light_at(i, j)) >> (8 * sizeof(Sample) - 8);
      all[kAcross] +=
          j + 1 < end && is_light != reaches(i, j + 1, levels.light);
      all[kDown] +=
          i + 1 < count && is_light != reaches(i + 1, j, levels.light);
      all[kBright] += is_bright;
      all[kVague] += !is_dim && !is_bright;
      all[kDimSum] += is_dim ? high_bits : 0;
      all[kBrightSum] += is_bright ? high_bits : 0;
    }
  }
  StoreCounts(all, cell, counts);
}

template void CountCell<uint8_t>(const std::byte* const*, size_t,
                                 const CellLevels&, size_t, size_t, uint16_t,
                                 const CellCounts&);
template void CountCell<uint16_t>(const std::byte* const*, size_t,
                                  const CellLevels&, size_t, size_t, uint16_t,
                                  const CellCounts&);

}  // namespace halftoned::simd
