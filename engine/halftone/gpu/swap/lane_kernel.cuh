// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of errors and a kernel on tensor cores, by a warp. A product's rows
// are sixteen rows of errors, of 24 columns; its columns are the eight columns
// of a block in their middle. Errors and kernels are exact as halves, and sums
// as floats while all their parts are below 2^24.

#pragma once

#include <cstdint>

#include "halftone/gpu/swap/kernel_fragments.h"

namespace halftoned::cuda::swap {

// A lane's part of a kernel with this many rows, from its middle row on.
template <int rows>
class LaneKernel {
 public:
  static constexpr int kWords = KernelFragments::kWords;

  explicit __device__ LaneKernel(const KernelFragments& fragments) {
    const int lane = static_cast<int>(threadIdx.x % kLanes);
#pragma unroll
    for (int row = 0; row < rows; ++row) {
#pragma unroll
      for (int word = 0; word < kWords; ++word) {
        kernel_[row][word] = __ldg(&fragments.word[row][word][lane]);
      }
    }
  }

  // Adds the products with the kernel's row this far down. upper, lower: this
  // lane's words of errors in rows lane / 4 and lane / 4 + 8, from column
  // KernelFragments::FirstColumn on. four: of the first of these, columns
  // 2·(lane % 4) and the next; then of the second.
  __device__ void Add(int down, const uint32_t (&upper)[kWords],
                      const uint32_t (&lower)[kWords], float (&four)[4]) const {
    AddRow(kernel_[down < 0 ? -down : down], upper, lower, four);
  }

 private:
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

  uint32_t kernel_[rows][kWords];
};

}  // namespace halftoned::cuda::swap
