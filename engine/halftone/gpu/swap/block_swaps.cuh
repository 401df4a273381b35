// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The swaps in eight blocks, by a warp: four lanes a block, two columns a lane.
// The definition visits a block's pixels in order; but a pixel that does not
// swap changes nothing. So all pixels are looked at together, the first that
// would swap, after the last one that did, does so, and all are looked at
// again: as many rounds as the busiest of the blocks has swaps. Most blocks
// have none: those that have some are put into a queue, and taken out of it in
// eights.
//
// With white pixels as p + L and black ones as −p − L, L being large, the sum
// of two neighbours is p − p' if they differ, and far from that otherwise;
// and a pixel that is turned changes its sign.

#ifndef HALFTONED_HALFTONE_GPU_SWAP_BLOCK_SWAPS_CUH_
#define HALFTONED_HALFTONE_GPU_SWAP_BLOCK_SWAPS_CUH_

#include <cstdint>

#include "halftone/gpu/swap/block_tile.cuh"
#include "halftone/gpu/swap/convolve.cuh"
#include "halftone/gpu/swap/kernel_fragments.h"

namespace halftoned::cuda::swap {

template <int sweep>
__device__ constexpr KernelOfBlock kKernelOfBlockOnDevice =
    KernelOfBlock::Make(sweep);

// Blocks in which there are swaps.
struct BusyBlocks {
  struct Block {
    alignas(16) int pixels[kBestBlock * kBestBlock];
    int column;       // in the tile
    int number;       // of the first pixel that swaps
    int padding[14];  // so that neighbours begin in the other sixteen banks
  };
  Block block[kPairs];
  int count[2];  // in each phase
};

template <int sweep>
class BlockSwaps {
 public:
  // column: in the tile, of the first of this lane's block.
  __device__ BlockSwaps(BlockTile& tile, int column)
      : tile_(tile),
        in_group_(static_cast<int>(threadIdx.x % kLanesOfBlock)),
        block_column_(column),
        column_(2 * in_group_) {}

  // Whether this warp's blocks have anything gray.
  __device__ bool ReadPixels() {
    const int column = block_column_ + column_;
    gray_ = white_ = 0;
#pragma unroll
    for (int row = 0; row < kBestBlock; ++row) {
      gray_ |= BlockTile::TwoBits(tile_.gray[row], column) << 2 * row;
      white_ |= BlockTile::TwoBits(tile_.bits[row], column) << 2 * row;
    }
    return __any_sync(kAllLanes, gray_ != 0);
  }

  // Puts those of this warp's blocks into the queue that have swaps.
  __device__ void Queue(const Sums& sums, BusyBlocks& busy, int& count) {
    SetPixels(sums);
    const int number = FirstOfBlock(FirstThatSwaps(kAllPixels, false));
    const uint32_t leaders =
        __ballot_sync(kAllLanes, in_group_ == 0 && number != kNone);
    if (leaders == 0) return;
    const auto lane = threadIdx.x % kLanes;
    int place = 0;
    if (lane == 0) place = atomicAdd(&count, __popc(leaders));
    place = __shfl_sync(kAllLanes, place, 0) +
            __popc(leaders & ((1u << (lane & ~3u)) - 1));
    if (number == kNone) return;
    BusyBlocks::Block& block = busy.block[place];
#pragma unroll
    for (int i = 0; i < kBestBlock / 2; ++i) {
      reinterpret_cast<int4*>(block.pixels)[i * kLanesOfBlock + in_group_] =
          make_int4(pixels_[2 * i][0], pixels_[2 * i][1], pixels_[2 * i + 1][0],
                    pixels_[2 * i + 1][1]);
    }
    if (in_group_ == 0) {
      block.column = block_column_;
      block.number = number;
    }
  }

  // Does all swaps of eight blocks in the queue, of which this lane's, if it is
  // there, has this place.
  static __device__ void Run(BlockTile& tile, const KernelOfBlock& kernel,
                             const BusyBlocks& busy, int place, bool is_there) {
    const BusyBlocks::Block& block = busy.block[is_there ? place : 0];
    BlockSwaps swaps(tile, block.column);
    swaps.TakePixels(block);
    int number = is_there ? block.number : kNone;
    int scans_left = is_there ? kBestScans - 1 : 0;
    do {
      const uint32_t left = swaps.SwapIn(number, kernel);
      number = FirstOfBlock(swaps.FirstThatSwaps(left, scans_left > 0));
      if (number >= kInNextScan) {
        number -= kInNextScan;
        --scans_left;
      }
    } while (!__all_sync(kAllLanes, number == kNone));
  }

 private:
  static constexpr uint32_t kAllLanes = 0xFFFFFFFF;
  static constexpr int kLanesOfBlock = 4;
  // Of a lane's pixels: bit 2·row + column.
  static constexpr uint32_t kAllPixels = (1u << 2 * kBestBlock) - 1;
  static constexpr int kNone = kBestBlock * kBestBlock;
  static constexpr int kInNextScan = 2 * kNone;  // added to a pixel's number
  static constexpr int kLast = 4 * kNone;        // above all of them

  static constexpr int kFar = 1 << 28;
  static constexpr int kNoPixel = 1 << 29;
  static constexpr uint32_t kMostApart = 1u << 27;  // more than two sums are

  static constexpr int kLeastBeside = LeastApart(sweep, 0, 1);
  static constexpr int kLeastAcross = LeastApart(sweep, 1, 1);
  static_assert(kLeastAcross >= kLeastBeside);

  struct Place {
    int row, column;
  };

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
  __device__ void TakePixels(const BusyBlocks::Block& block) {
#pragma unroll
    for (int i = 0; i < kBestBlock / 2; ++i) {
      const int4 four = reinterpret_cast<const int4*>(
          block.pixels)[i * kLanesOfBlock + in_group_];
      pixels_[2 * i][0] = four.x;
      pixels_[2 * i][1] = four.y;
      pixels_[2 * i + 1][0] = four.z;
      pixels_[2 * i + 1][1] = four.w;
    }
  }

  // By how much more than the least it is worth while, from 0 on.
  static __device__ uint32_t Gain(int pixel, int other, int least) {
    return static_cast<uint32_t>(pixel + other - least - 1);
  }

  // The first of this lane's pixels, of those that are left, that has a
  // neighbour to swap with; its number in the block. If none is, and there is
  // another scan, the first of all of them.
  __device__ int FirstThatSwaps(uint32_t left, bool is_scanned_again) const {
    uint32_t found = 0;
    const auto look = [&](int pixel, int other, int least, uint32_t bits) {
      if (Gain(pixel, other, least) < kMostApart) found |= bits;
    };
    // Bits of the column on the right of this lane's are 16 above those of its
    // own first one. On the right of the block there is that first one again:
    // what it finds beside and across, it finds there without it, too.
    constexpr int kRight = 16;
    int right = 0;
#pragma unroll
    for (int row = 0; row < kBestBlock; ++row) {
      const int(&here)[2] = pixels_[row];
      const int right_above = right;
      right = __shfl_down_sync(kAllLanes, here[0], 1, kLanesOfBlock);
      const uint32_t one = 1u << 2 * row;
      const uint32_t two = one << 1;
      const uint32_t three = one << kRight;
      look(here[0], here[1], kLeastBeside, one | two);
      look(here[1], right, kLeastBeside, two | three);
      if (row == 0) continue;
      const int(&above)[2] = pixels_[row - 1];
      look(above[0], here[0], kLeastBeside, one >> 2 | one);
      look(above[1], here[1], kLeastBeside, two >> 2 | two);
      look(above[0], here[1], kLeastAcross, one >> 2 | two);
      look(above[1], here[0], kLeastAcross, two >> 2 | one);
      look(above[1], right, kLeastAcross, two >> 2 | three);
      look(right_above, here[1], kLeastAcross, three >> 2 | two);
    }
    const uint32_t of_left =
        __shfl_up_sync(kAllLanes, found >> kRight, 1, kLanesOfBlock);
    const uint32_t all = (found | (in_group_ == 0 ? 0 : of_left)) & kAllPixels;
    const uint32_t now = all & left;
    const uint32_t bits = now != 0 ? now : is_scanned_again ? all : 0;
    const int bit = __ffs(static_cast<int>(bits)) - 1;
    const int number = bit / 2 * kBestBlock + column_ + bit % 2;
    return bits == 0 ? kLast : now != 0 ? number : kInNextScan + number;
  }

  // kNone if there is none.
  static __device__ int FirstOfBlock(int number) {
#pragma unroll
    for (int apart = 1; apart < kLanesOfBlock; apart *= 2) {
      number = min(number, __shfl_xor_sync(kAllLanes, number, apart));
    }
    return number == kLast ? kNone : number;
  }

  // Swaps a pixel with the neighbour that gains most. Returns those of this
  // lane's pixels that are visited after it.
  __device__ uint32_t SwapIn(int number, const KernelOfBlock& kernel) {
    const Place at{number / kBestBlock, number % kBestBlock};
    int around[3][2];
    RowsAround(at.row, around);
    const int pixel =
        __shfl_sync(kAllLanes, at.column % 2 == 0 ? around[1][0] : around[1][1],
                    at.column / 2, kLanesOfBlock);
    const Place other = BestNeighbour(at, pixel, around);
    if (number == kNone) return 0;
    AddToSums(at, other, pixel, kernel);
    if (in_group_ == 0) {
      const bool to_white = pixel < 0;
      tile_.Turn(at.row, block_column_ + at.column, to_white);
      tile_.Turn(other.row, block_column_ + other.column, !to_white);
    }
    const int visited = min(max(at.column - column_ + 1, 0), 2);
    return kAllPixels << (2 * at.row + visited) & kAllPixels;
  }

  // This lane's pixels in the row above, in that row and below.
  __device__ void RowsAround(int row, int (&around)[3][2]) const {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      int rows[kBestBlock + 2];
      rows[0] = rows[kBestBlock + 1] = kNoPixel;
#pragma unroll
      for (int k = 0; k < kBestBlock; ++k) rows[k + 1] = pixels_[k][i];
#pragma unroll
      for (int k = 0; k < 6; ++k) rows[k] = row & 4 ? rows[k + 4] : rows[k];
#pragma unroll
      for (int k = 0; k < 4; ++k) rows[k] = row & 2 ? rows[k + 2] : rows[k];
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        around[k][i] = row & 1 ? rows[k + 1] : rows[k];
      }
    }
  }

  // Of several with the same gain, the first one.
  __device__ Place BestNeighbour(const Place& at, int pixel,
                                 const int (&around)[3][2]) const {
    uint32_t best = 0;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int right = column_ + i - at.column;
      if (right < -1 || right > 1) continue;
#pragma unroll
      for (int down = -1; down <= 1; ++down) {
        const int least = right == 0 || down == 0 ? kLeastBeside : kLeastAcross;
        const uint32_t gain = Gain(pixel, around[down + 1][i], least);
        const auto order = static_cast<uint32_t>(14 - (down + 1) * 3 - right);
        if (gain < kMostApart) best = max(best, gain * 16 + order);
      }
    }
#pragma unroll
    for (int apart = 1; apart < kLanesOfBlock; apart *= 2) {
      best = max(best, __shfl_xor_sync(kAllLanes, best, apart));
    }
    const int number = 15 - static_cast<int>(best % 16);
    return {at.row + number / 3 - 1, at.column + number % 3 - 1};
  }

  __device__ void AddToSums(const Place& at, const Place& other, int pixel,
                            const KernelOfBlock& kernel) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int column = column_ + i;
      const int* one =
          &kernel.at[abs(column - at.column)][kBestBlock - 1 - at.row];
      const int* two =
          &kernel.at[abs(column - other.column)][kBestBlock - 1 - other.row];
      const uint32_t turned = (column == at.column ? 1u << at.row : 0) |
                              (column == other.column ? 1u << other.row : 0);
#pragma unroll
      for (int row = 0; row < kBestBlock; ++row) {
        int& here = pixels_[row][i];
        // What a black pixel turned white adds to white ones.
        const int change = one[row] - two[row];
        here += (here ^ pixel) < 0 ? change : -change;
        if (turned >> row & 1) here = -here;
      }
    }
  }

  BlockTile& tile_;
  const int in_group_;
  const int block_column_;
  const int column_;  // in the block, of this lane's first one
  uint32_t gray_, white_;
  int pixels_[kBestBlock][2];
};

}  // namespace halftoned::cuda::swap

#endif  // HALFTONED_HALFTONE_GPU_SWAP_BLOCK_SWAPS_CUH_
