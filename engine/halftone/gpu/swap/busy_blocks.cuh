// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out which of eight blocks have swaps, by a warp: four lanes per block
// and two columns per lane, as the sums come from tensor cores. Most blocks
// have none: those that have some are put into a queue.
//
// With white pixels as p + L and black ones as −p − L, L being large, the sum
// of two neighbors is p − p' if they differ, and far from that otherwise.

#pragma once

#include <cstdint>

#include "halftone/gpu/swap/block_tile.cuh"
#include "halftone/gpu/swap/convolve.cuh"
#include "halftone/gpu/swap/kernel_fragments.h"

namespace halftoned::cuda::swap {

inline constexpr int kFar = 1 << 28;      // L
inline constexpr int kNoPixel = 1 << 29;  // not gray

struct BusyBlocks {
  struct Block {
    // Two rows of a pair of columns are four words: see Two.
    alignas(16) int pixels[kBestBlock * kBestBlock];
    int column;       // in the tile
    int padding[15];  // so that neighbors begin in the other sixteen banks

    __device__ int2 Two(int row, int pair) const {
      const int four = row / 2 * (kBestBlock / 2) + pair;
      return reinterpret_cast<const int2*>(pixels)[2 * four + row % 2];
    }
  };
  Block block[kPairs];
  int count[2];  // in each phase
};

template <int sweep>
class BlockFinder {
 public:
  // column: in the tile, of the first of this lane's block.
  __device__ BlockFinder(const BlockTile& tile, int column)
      : in_group_(static_cast<int>(threadIdx.x % kLanesOfBlock)),
        block_column_(column),
        tile_(tile) {}

  // Whether this warp's blocks have anything gray.
  __device__ bool ReadPixels() {
    const int column = block_column_ + 2 * in_group_;
    gray_ = white_ = 0;
#pragma unroll
    for (int row = 0; row < kBestBlock; ++row) {
      gray_ |= BlockTile::TwoBits(tile_.gray[row], column) << 2 * row;
      white_ |= BlockTile::TwoBits(tile_.bits[row], column) << 2 * row;
    }
    return __any_sync(kAllLanes, gray_ != 0);
  }

  // Puts this warp's blocks that have swaps into the queue.
  __device__ void Queue(const Sums& sums, BusyBlocks& busy, int& count) {
    SetPixels(sums);
    const auto lane = threadIdx.x % kLanes;
    const uint32_t lanes = __ballot_sync(kAllLanes, HasSwap());
    uint32_t leaders = lanes | lanes >> 1;
    leaders = (leaders | leaders >> 2) & 0x11111111;
    if (leaders == 0) return;
    int place = 0;
    if (lane == 0) place = atomicAdd(&count, __popc(leaders));
    place = __shfl_sync(kAllLanes, place, 0) +
            __popc(leaders & ((1u << (lane & ~3u)) - 1));
    if ((leaders >> (lane & ~3u) & 1) == 0) return;
    BusyBlocks::Block& block = busy.block[place];
#pragma unroll
    for (int i = 0; i < kBestBlock / 2; ++i) {
      reinterpret_cast<int4*>(block.pixels)[i * kLanesOfBlock + in_group_] =
          make_int4(pixels_[2 * i][0], pixels_[2 * i][1], pixels_[2 * i + 1][0],
                    pixels_[2 * i + 1][1]);
    }
    if (in_group_ == 0) block.column = block_column_;
  }

 private:
  static constexpr uint32_t kAllLanes = 0xFFFFFFFF;
  static constexpr int kLanesOfBlock = 4;
  static constexpr uint32_t kMostApart = 1u << 27;  // more than two sums are
  // The least difference for a swap.
  static constexpr int kBeside = LeastApart(sweep, 0, 1) + 1;
  static constexpr int kAcross = LeastApart(sweep, 1, 1) + 1;

  __device__ void SetPixels(const Sums& sums) {
#pragma unroll
    for (int row = 0; row < kBestBlock; ++row) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const uint32_t bit = 1u << (2 * row + i);
        const int sum = __float2int_rn(sums[row][i]) + kFar;
        const int pixel = white_ & bit ? sum : -sum;
        pixels_[row][i] = gray_ & bit ? pixel : kNoPixel;
      }
    }
  }

  // Whether one of this lane's pixels has a neighbor to swap with, on the
  // right or below.
  __device__ bool HasSwap() const {
    uint32_t least[2] = {~0u, ~0u};
    const auto look = [&](int i, int pixel, int other, int apart) {
      least[i] = min(least[i], static_cast<uint32_t>(pixel + other - apart));
    };
    // On the right of the block there is its last pair's first column again:
    // what it finds beside and across, it finds there without it, too.
    int right = 0;
#pragma unroll
    for (int row = 0; row < kBestBlock; ++row) {
      const int(&here)[2] = pixels_[row];
      const int right_above = right;
      right = __shfl_down_sync(kAllLanes, here[0], 1, kLanesOfBlock);
      look(0, here[0], here[1], kBeside);
      look(1, here[1], right, kBeside);
      if (row == 0) continue;
      const int(&above)[2] = pixels_[row - 1];
      look(0, above[0], here[0], kBeside);
      look(1, above[1], here[1], kBeside);
      look(0, above[0], here[1], kAcross);
      look(1, above[1], here[0], kAcross);
      look(0, above[1], right, kAcross);
      look(1, right_above, here[1], kAcross);
    }
    return min(least[0], least[1]) < kMostApart;
  }

  const int in_group_;
  const int block_column_;
  const BlockTile& tile_;
  uint32_t gray_, white_;
  int pixels_[kBestBlock][2];
};

}  // namespace halftoned::cuda::swap
