// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pure black and pure white pixels of a row, and the gray pixels between
// them, as bits: column j is bit j % 64 of word j / 64.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "halftone/page/page.h"
#include "halftone/page/tone_curve.h"

namespace halftoned::simd {

// After ^ flip samples rise with the light.
struct PureLimits {
  uint16_t flip;         // 0, or all bits of a sample
  uint16_t black_end;    // lower samples are black; 1 … the highest sample
  uint16_t white_begin;  // white from here on; black_end … the highest sample
};

// The pure pixels of a row. Each pointer has a zero word before the first
// column's and one after the last column's. Bits beyond the columns are 0 too.
struct PureRow {
  uint64_t* black;
  uint64_t* white;
};

// The limits of a curve's samples; none if it has no black or no white, or if
// other values lie among those.
std::optional<PureLimits> PureLimitsOf(const ToneCurve& curve, Depth depth);

// The first sample, turned by `flip`, whose value is at least `value`; one
// above the highest if there is none. Turned samples rise with the light.
uint32_t FirstSampleOf(int value, Depth depth, const ToneCurve& curve,
                       uint32_t flip);

// From words in which column j is bit j % 64 to bytes as a BitBand has them, in
// which it is bit 7 - j % 8, and back.
static_assert(std::endian::native == std::endian::little);
constexpr uint64_t ReverseBitsOfBytes(uint64_t word) {
  word = (word >> 1 & 0x5555555555555555) | (word & 0x5555555555555555) << 1;
  word = (word >> 2 & 0x3333333333333333) | (word & 0x3333333333333333) << 2;
  return (word >> 4 & 0x0f0f0f0f0f0f0f0f) | (word & 0x0f0f0f0f0f0f0f0f) << 4;
}

// Which kinds of pixels a row has.
struct PureKinds {
  bool black;
  bool white;
  bool gray;
};

struct PureKernels {
  std::string_view target;  // as in core.h, or "portable"
  // Finds the pure pixels of a row.
  PureKinds (*find)(const std::byte* row, size_t columns,
                    const PureLimits& limits, const PureRow& pure);
  // Finds the pixels of a row that, turned by `flip`, are below light_from,
  // which is 1 … the highest sample. Bits beyond the columns are 0.
  void (*find_dark)(const std::byte* row, size_t columns, uint16_t flip,
                    uint16_t light_from, uint64_t* dark);
  // Writes the bits of a row as if it were pure, in the order of a BitBand, and
  // adds its gray pixels to those of `gray`, in the same order. Both have room
  // for a word after the last column's. Returns whether there are any.
  bool (*pack)(const std::byte* row, size_t columns, const PureLimits& limits,
               uint64_t* gray, uint64_t* bits);
  // Snaps the pixels of a row, which is `here`, that are not pure and have pure
  // neighbors of both kinds. They become white if, turned as the limits say,
  // they are at least white_from (1 … the highest sample), otherwise black.
  void (*snap)(const PureRow& above, const PureRow& here, const PureRow& below,
               const PureLimits& limits, uint16_t white_from, std::byte* row,
               size_t columns);
};

// The kernels that run on this machine, the fastest first; at least one.
std::vector<PureKernels> PureKernelsFor(Depth depth);
PureKernels FastestPureKernels(Depth depth);

}  // namespace halftoned::simd
