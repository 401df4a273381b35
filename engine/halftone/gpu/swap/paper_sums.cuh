// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sums p of a stretch with print feedback, on tensor cores
// (lane_kernel.cuh): a warp has sixteen adjacent blocks.

#pragma once

#include <cstdint>

#include "halftone/gpu/common/on_device.cuh"
#include "halftone/gpu/swap/lane_kernel.cuh"
#include "halftone/gpu/swap/paper_tile.cuh"

namespace halftoned::cuda::swap {

template <int sweep>
struct PaperFragments {
  static constexpr KernelFragments kValue =
      KernelFragments::Make(sweep, PaperKernelOf);
};

template <int sweep>
class PaperSums {
 public:
  // window: of the stretch's first block, the first column in the tile.
  __device__ PaperSums(const PaperTile& tile, int window)
      : lane_(static_cast<int>(threadIdx.x % kLanes)),
        block_(static_cast<int>(threadIdx.x / kLanes) * kBlocks + lane_ / 4) {
    const int column = window + block_ * kBestBlock;
    const LaneKernel<kPaperReach + 1> kernel(OnDevice<PaperFragments<sweep>>());
#pragma unroll
    for (int row = 0; row < kWindows; row += kTogether) {
      AddRows(tile, kernel, column, row);
    }
  }

  // Precondition: all warps have their sums, because these replace the errors.
  __device__ void Store(PaperTile& tile) const {
    const int column = kSumMargin + block_ * kBestBlock + 2 * (lane_ % 4);
#pragma unroll
    for (int row = 0; row < kWindows; ++row) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        *reinterpret_cast<int2*>(
            &tile.field.sums[row][column + i * kBlocks / 2 * kBestBlock]) =
            make_int2(sums_[row][2 * i], sums_[row][2 * i + 1]);
      }
    }
  }

 private:
  static constexpr int kBlocks = 16;
  static constexpr int kTogether = 3;  // rows of sums
  static_assert(kWarps * kBlocks == 2 * kPairs);
  static_assert(kWindows % kTogether == 0);
  static constexpr int kWords = KernelFragments::kWords;

  // Adds up some rows of sums, from `first` on.
  __device__ void AddRows(const PaperTile& tile,
                          const LaneKernel<kPaperReach + 1>& kernel, int column,
                          int first) {
    float parts[kTogether][4] = {};
#pragma unroll
    for (int i = 1; i < kTogether + 2 * kPaperReach + 1; ++i) {
      uint32_t upper[kWords];
      uint32_t lower[kWords];
#pragma unroll
      for (int word = 0; word < kWords; ++word) {
        const uint32_t* at =
            &tile.errors[first + i]
                        [(column + KernelFragments::FirstColumn(word, lane_)) /
                         2];
        upper[word] = at[0];
        lower[word] = at[kBlocks / 2 * kBestBlock / 2];
      }
#pragma unroll
      for (int k = 0; k < kTogether; ++k) {
        const int down = i - kBestReach - k;
        if (down < -kPaperReach || down > kPaperReach) continue;
        if (down == kSecondPart || down == kThirdPart) {
          Keep(parts[k], sums_[first + k]);
        }
        kernel.Add(down, upper, lower, parts[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < kTogether; ++k) Keep(parts[k], sums_[first + k]);
  }

  // Adds the sums of floats to those of integers.
  static __device__ void Keep(float (&part)[4], int (&sums)[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      sums[i] += __float2int_rn(part[i]);
      part[i] = 0;
    }
  }

  const int lane_;
  const int block_;  // the first of this lane's two
  int sums_[kWindows][4] = {};
};

}  // namespace halftoned::cuda::swap
