// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sums p of eight blocks, by a warp on tensor cores. A product's rows are
// the eight blocks, in two rows of each that are four apart, its columns the
// blocks' columns; and what it adds up over are 24 columns of errors. Errors
// and the kernel are exact as halves, and the sums as floats: each is an
// integer below 2^24, and so is every part of one.

#ifndef HALFTONED_HALFTONE_GPU_SWAP_CONVOLVE_CUH_
#define HALFTONED_HALFTONE_GPU_SWAP_CONVOLVE_CUH_

#include <cstdint>

#include "halftone/gpu/swap/block_tile.cuh"
#include "halftone/gpu/swap/kernel_fragments.h"

namespace halftoned::cuda::swap {

// Of a lane: rows of block lane / 4, in columns 2·(lane % 4) and the next.
using Sums = float[kBestBlock][2];

template <int sweep>
__device__ constexpr KernelFragments kFragmentsOnDevice =
    KernelFragments::Make(sweep);

template <int sweep>
class Convolution {
 public:
  __device__ Convolution() {
    const int lane = static_cast<int>(threadIdx.x % kLanes);
#pragma unroll
    for (int row = 0; row <= kBestReach; ++row) {
#pragma unroll
      for (int word = 0; word < kWords; ++word) {
        kernel_[row][word] =
            __ldg(&kFragmentsOnDevice<sweep>.word[row][word][lane]);
      }
    }
  }

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
        AddRow(kernel_[down < 0 ? -down : down], upper, lower, four[i]);
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

  // To where it is wanted: a word that is kept for its other use, four rows
  // later, would have to be moved, since a product wants registers in order.
  static __device__ uint32_t Load(uint32_t at) {
    uint32_t word;
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(word) : "r"(at));
    return word;
  }

  static __device__ void AddRow(const uint32_t (&kernel)[kWords],
                                const uint32_t (&upper)[kWords],
                                const uint32_t (&lower)[kWords],
                                float (&four)[4]) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(four[0]), "+f"(four[1]), "+f"(four[2]), "+f"(four[3])
        : "r"(upper[0]), "r"(lower[0]), "r"(upper[1]), "r"(lower[1]),
          "r"(kernel[0]), "r"(kernel[1]));
#else
    AddEight(kernel[0], upper[0], lower[0], four);
    AddEight(kernel[1], upper[1], lower[1], four);
#endif
    AddEight(kernel[2], upper[2], lower[2], four);
  }

  static __device__ void AddEight(uint32_t kernel, uint32_t upper,
                                  uint32_t lower, float (&four)[4]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(four[0]), "+f"(four[1]), "+f"(four[2]), "+f"(four[3])
        : "r"(upper), "r"(lower), "r"(kernel));
  }

  uint32_t kernel_[kBestReach + 1][kWords];
};

}  // namespace halftoned::cuda::swap

#endif  // HALFTONED_HALFTONE_GPU_SWAP_CONVOLVE_CUH_
