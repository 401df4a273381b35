// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of 32 columns of a row of blocks, from rows to blocks.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SWAP_BLOCK_BITS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SWAP_BLOCK_BITS_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SWAP_BLOCK_BITS_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SWAP_BLOCK_BITS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "halftone/cpu/simd/vectors/lanes-inl.h"
#include "halftone/cpu/swap.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

constexpr int kGroupColumns = 32;
constexpr int kGroupBlocks = kGroupColumns / kBestBlock;

// 64 bits of a row from a column on, the first in the most significant one.
HWY_INLINE uint64_t BitsFrom(const std::byte* row, int32_t column) {
  uint64_t word;
  std::memcpy(&word, row + (column >> 3), sizeof(word));
  return __builtin_bswap64(word) << (column & 7);
}

// The bits of four blocks, in raster order from bit 0 on, from their rows'.
HWY_INLINE void BlocksOf(const uint32_t* words, uint64_t* blocks) {
  for (int block = 0; block < kGroupBlocks; ++block) {
    uint64_t bits = 0;
    for (int i = kBestBlock - 1; i >= 0; --i) {
      bits = bits << 8 | (words[i] >> (24 - 8 * block) & 0xff);
    }
    // Each byte's bits the other way round.
    bits = (bits >> 1 & 0x5555555555555555) | (bits & 0x5555555555555555) << 1;
    bits = (bits >> 2 & 0x3333333333333333) | (bits & 0x3333333333333333) << 2;
    blocks[block] =
        (bits >> 4 & 0x0f0f0f0f0f0f0f0f) | (bits & 0x0f0f0f0f0f0f0f0f) << 4;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SWAP_BLOCK_BITS_INL_H_
