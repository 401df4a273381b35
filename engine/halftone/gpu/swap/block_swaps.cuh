// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The swaps in a block, by a warp: a lane has two pixels beside each other. The
// definition visits a block's pixels in order; but a pixel that does not swap
// changes nothing. So all pixels look for their best neighbor together. The
// first pixel with one, after the last that swapped, swaps, and all look again.
//
// A pixel is ±16·(p + L), positive if it is black, L being large: the sum of
// two neighbors is 16·(p − p') if they differ, and far from that otherwise.
// With a number for the neighbor added, the least of these sums, unsigned,
// belongs to the swap that gains most and, among equal ones, to the first.

#pragma once

#include <cstdint>

#include "halftone/gpu/swap/block_tile.cuh"
#include "halftone/gpu/swap/busy_blocks.cuh"
#include "halftone/gpu/swap/kernel_fragments.h"

namespace halftoned::cuda::swap {

template <int sweep>
struct BlockKernel {
  static constexpr KernelOfBlock kValue = KernelOfBlock::Make(sweep);
};

template <int sweep>
class BlockSwaps {
 public:
  __device__ BlockSwaps(const BusyBlocks::Block& block,
                        const KernelOfBlock& kernel)
      : lane_(static_cast<int>(threadIdx.x % kLanes)),
        row_(lane_ / kPairsOfRow),
        column_(2 * (lane_ % kPairsOfRow)),
        kernel_(&kernel.at[row_ + kBestBlock - 1][column_ + kBestBlock - 1]) {
    const int2 two = block.Two(row_, column_ / 2);
    pixels_[0] = From(two.x);
    pixels_[1] = From(two.y);
    is_gray_[0] = two.x != kNoPixel;
    is_gray_[1] = two.y != kNoPixel;
    // Beyond the block's edge there is another pixel of the block, with which a
    // swap across gains less than the swap with the real neighbor beside; only
    // the left edge needs code for that.
    const int above = row_ > 0 ? -kPairsOfRow : 0;
    const int below = row_ < kBestBlock - 1 ? kPairsOfRow : 0;
    const int right = column_ < kBestBlock - 2 ? 1 : 0;
    const int left = column_ > 0 ? -1 : 0;
    const int down[3] = {above, 0, below};
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      from_[i] = lane_ + down[i];
      from_left_[i] = lane_ + down[i] + left;
      from_right_[i] = lane_ + down[i] + right;
    }
  }

  // Does all swaps, and writes them to the tile.
  __device__ void Run(BlockTile& tile, int column) {
    uint32_t left[2] = {kAllLanes, kAllLanes};
    int scans_left = kBestScans - 1;
    for (;;) {
      uint32_t best[2];
      FindBest(best);
      const uint32_t all[2] = {__ballot_sync(kAllLanes, best[0] <= kMost),
                               __ballot_sync(kAllLanes, best[1] <= kMost)};
      left[0] &= all[0];
      left[1] &= all[1];
      if ((left[0] | left[1]) == 0) {
        if (scans_left-- == 0 || (all[0] | all[1]) == 0) break;
        left[0] = all[0];
        left[1] = all[1];
      }
      const int lane = __ffs(static_cast<int>(left[0] | left[1])) - 1;
      const int second = left[0] >> lane & 1 ? 0 : 1;
      SwapIn(lane, second, best);
      left[0] = ~1u << lane;
      left[1] = second != 0 ? ~1u << lane : ~0u << lane;
    }
    if (turned_ != 0) Bring(tile, column + column_);
  }

 private:
  static constexpr uint32_t kAllLanes = 0xFFFFFFFF;
  static constexpr int kPairsOfRow = kBestBlock / 2;
  static constexpr int kScale = 16;
  static constexpr int kLarge = 1 << 29;                // L
  static constexpr int kOutside = 3 << 29;              // not gray
  static constexpr uint32_t kMost = uint32_t{1} << 28;  // of a swap that gains

  static constexpr int kLeastBeside = LeastApart(sweep, 0, 1);
  static constexpr int kLeastAcross = LeastApart(sweep, 1, 1);
  static_assert(kLeastAcross > kLeastBeside, "see the constructor");
  static_assert(kLeastBeside > 0);

  static __device__ int From(int pixel) {
    if (pixel == kNoPixel) return kOutside;
    // The other L vanishes, because it is a multiple of 2^32 by now.
    static_assert(kFar * int64_t{kScale} % (int64_t{1} << 32) == 0);
    const auto scaled = static_cast<uint32_t>(pixel) * uint32_t{kScale};
    return static_cast<int>(-scaled) + (pixel > 0 ? -kLarge : kLarge);
  }

  // kMost, less the gain beyond the least one, and the step.
  template <int down, int right>
  static __device__ uint32_t Sum(int pixel, int other) {
    constexpr int kLeast =
        down == 0 || right == 0 ? kLeastBeside : kLeastAcross;
    // The step rises in the order of neighbors.
    constexpr int kStep = (down + 1) * 4 + right + 1;
    constexpr uint32_t kMore =
        kMost + uint32_t{kScale} * (kLeast + 1) - (kScale - 1) + kStep;
    return static_cast<uint32_t>(pixel) + static_cast<uint32_t>(other) + kMore;
  }

  // Finds the best swap of both pixels.
  __device__ void FindBest(uint32_t (&best)[2]) const {
    best[0] = Sum<0, 1>(pixels_[0], pixels_[1]);
    best[1] = Sum<0, -1>(pixels_[1], pixels_[0]);
    FindInRow<-1>(best);
    FindInRow<0>(best);
    FindInRow<1>(best);
  }
  template <int down>
  __device__ void FindInRow(uint32_t (&best)[2]) const {
    const auto at = [&](int i, const int(&from)[3]) {
      return __shfl_sync(kAllLanes, pixels_[i], from[down + 1]);
    };
    int left = at(1, from_left_);
    const int right = at(0, from_right_);
    if (column_ == 0) left = kOutside;
    best[0] = min(best[0], Sum<down, -1>(pixels_[0], left));
    best[1] = min(best[1], Sum<down, 1>(pixels_[1], right));
    if constexpr (down != 0) {
      const int first = at(0, from_);
      const int second = at(1, from_);
      best[0] = min(best[0], Sum<down, 0>(pixels_[0], first));
      best[0] = min(best[0], Sum<down, 1>(pixels_[0], second));
      best[1] = min(best[1], Sum<down, -1>(pixels_[1], first));
      best[1] = min(best[1], Sum<down, 0>(pixels_[1], second));
    }
  }

  // Swaps a lane's first or second pixel with its best neighbor.
  __device__ void SwapIn(int lane, int second, const uint32_t (&best)[2]) {
    const int pixel =
        __shfl_sync(kAllLanes, second != 0 ? pixels_[1] : pixels_[0], lane);
    const uint32_t sum =
        __shfl_sync(kAllLanes, second != 0 ? best[1] : best[0], lane);
    const auto step = static_cast<int>((sum - 1) % kScale);
    const int at = 2 * lane + second;
    const int other = at + step / 4 * kBestBlock + step % 4 - kBestBlock - 1;
    const int* one = KernelFrom(at);
    const int* two = KernelFrom(other);
    const int mine = 2 * lane_;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      int& here = pixels_[i];
      // What a pixel that turned from white to black adds to black pixels.
      const int change = two[i] - one[i];
      if (is_gray_[i]) here += (here ^ pixel) < 0 ? change : -change;
      if (mine + i == at || mine + i == other) {
        here = -here;
        turned_ ^= 1u << i;
      }
    }
  }
  // The part of the kernel by which the pixel of this number adds to this
  // lane's.
  __device__ const int* KernelFrom(int number) const {
    return kernel_ -
           (number / kBestBlock * KernelOfBlock::kPitch + number % kBestBlock);
  }

  __device__ void Bring(BlockTile& tile, int column) const {
    const auto half = [&](int i) {
      const float change = pixels_[i] < 0 ? 255.0f : -255.0f;
      return turned_ >> i & 1 ? change : 0.0f;
    };
    tile.TurnTwo(row_, column, turned_, __floats2half2_rn(half(0), half(1)));
  }

  const int lane_;
  const int row_, column_;
  const int* const kernel_;
  int from_[3], from_left_[3], from_right_[3];  // lanes, by rows
  bool is_gray_[2];
  int pixels_[2];
  uint32_t turned_ = 0;
};

}  // namespace halftoned::cuda::swap
