// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks of the `blue-noise` mask, row by row, as docs/reference/bits.md
// defines them: a permutation of 0 … 65535.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace halftoned {

inline constexpr int32_t kBlueNoiseSide = 256;

// The build makes a table of them (ranks_table.cc). It does not compress, so
// where programs are loaded from a network, they are made when they are first
// needed (ranks_made.cc).
std::span<const uint16_t> BlueNoiseRanks();

// Makes them, in about a tenth of a second.
std::vector<uint16_t> MakeBlueNoiseRanks();

}  // namespace halftoned
