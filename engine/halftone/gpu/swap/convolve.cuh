// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sums p of eight blocks, by a warp on tensor cores (lane_kernel.cuh): two
// rows of each block at a time, which are four apart. Each sum is an integer
// below 2^24, and so is every part of a sum.

#pragma once

#include <cstdint>

#include "halftone/gpu/common/on_device.cuh"
#include "halftone/gpu/swap/block_tile.cuh"
#include "halftone/gpu/swap/lane_kernel.cuh"

namespace halftoned::cuda::swap {

// The sums of a lane: rows of block lane / 4, in columns 2·(lane % 4) and the
// next.
using Sums = float[kBestBlock][2];

template <int sweep>
struct BestFragments {
  static constexpr KernelFragments kValue =
      KernelFragments::Make(sweep, KernelAt);
};

template <int sweep>
class Convolution {
 public:
  // window: of this lane's block, the first column in the tile.
  __device__ void Run(const BlockTile& tile, int window, Sums& sums) const {
    const int lane = static_cast<int>(threadIdx.x % kLanes);
    uint32_t errors[kWords];  // in shared memory
#pragma unroll
    for (int word = 0; word < kWords; ++word) {
      const int column = window + KernelFragments::FirstColumn(word, lane);
      errors[word] = static_cast<uint32_t>(
          __cvta_generic_to_shared(&tile.errors[0][BlockTile::WordOf(column)]));
    }
    float four[kHalf][4] = {};
#pragma unroll
    for (int row = 0; row < kTileRows - kHalf; ++row) {
      uint32_t upper[kWords];
      uint32_t lower[kWords];
#pragma unroll
      for (int word = 0; word < kWords; ++word) {
        upper[word] = Load(errors[word] + row * kRowBytes);
        lower[word] = Load(errors[word] + (row + kHalf) * kRowBytes);
      }
#pragma unroll
      for (int i = 0; i < kHalf; ++i) {
        const int down = row - kBestReach - i;
        if (down < -kBestReach || down > kBestReach) continue;
        kernel_.Add(down, upper, lower, four[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      sums[i][0] = four[i][0];
      sums[i][1] = four[i][1];
      sums[i + kHalf][0] = four[i][2];
      sums[i + kHalf][1] = four[i][3];
    }
  }

 private:
  static constexpr int kWords = KernelFragments::kWords;
  static constexpr int kHalf = kBestBlock / 2;  // rows
  static constexpr uint32_t kRowBytes = sizeof(BlockTile::errors[0]);

  // Loads a word where it is needed. A word that is kept for its other use,
  // four rows later, would have to be moved, because a product needs registers
  // in order.
  static __device__ uint32_t Load(uint32_t at) {
    uint32_t word;
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(word) : "r"(at));
    return word;
  }

  const LaneKernel<kBestReach + 1> kernel_{OnDevice<BestFragments<sweep>>()};
};

}  // namespace halftoned::cuda::swap
