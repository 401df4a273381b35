// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collection on a parallelogram block with register caching taken further than
// the papers do: a neighbour's error comes from its thread's register, by a
// shuffle, and only gray and bits go through shared memory.

#ifndef HALFTONED_BENCH_PAPERS_METHODS_SHUFFLED_BLOCK_CUH_
#define HALFTONED_BENCH_PAPERS_METHODS_SHUFFLED_BLOCK_CUH_

#include "bench/papers/methods/arithmetic.h"
#include "bench/papers/methods/blockwise.cuh"

namespace halftoned::papers {

__device__ inline void ShuffledCollection(const BlockPage& page,
                                          const Block& block, int lane) {
  __shared__ uint8_t gray[kSide][kSide + 4];
  __shared__ BlockBits bits;
  __shared__ int top[kSide + 2];  // errors above, from one column to the left
  __shared__ int bottom[kSide];

  for (int i = 0; i < kSide; ++i) {
    gray[i][lane] = block.IsOnPage(page, i, lane)
                        ? page.gray[block.PixelAt(page, i, lane)]
                        : 0;
  }
  for (int k = lane; k < kSide + 2; k += kSide) {
    const int column = block.column(0, k - 1);
    top[k] = column >= 0 && column < page.width ? page.c[column] : 0;
  }
  __syncwarp();

  const int row = block.row(lane);
  int left = 0, left2 = 0, left3 = 0;
  if (row < page.rows) {
    left3 = page.r[row];
    left2 = page.r[page.rows + row];
    left = page.r[2 * page.rows + row];
  }
  int above = __shfl_up_sync(~0u, left2, 1);
  int above_left = __shfl_up_sync(~0u, left3, 1);
  for (int k = 0; k < kSide; ++k) {
    int above_right = __shfl_up_sync(~0u, left, 1);
    if (lane == 0) {
      above_left = top[k];
      above = top[k + 1];
      above_right = top[k + 2];
    }
    const auto [r, e] =
        Collect(gray[lane][k], left, above_left, above, above_right);
    bits[lane][k] = r;
    left3 = left2;
    left2 = left;
    left = block.IsOnPage(page, lane, k) ? e : 0;
    if (lane == kSide - 1) bottom[k] = left;
    above_left = above;
    above = above_right;
  }
  __syncwarp();

  if (row < page.rows) {
    page.r[row] = left3;
    page.r[page.rows + row] = left2;
    page.r[2 * page.rows + row] = left;
  }
  const int column = block.column(kSide - 1, lane);
  if (column >= 0 && column < page.width) page.c[column] = bottom[lane];
  StoreBits(page, block, bits, lane);
}

}  // namespace halftoned::papers

#endif  // HALFTONED_BENCH_PAPERS_METHODS_SHUFFLED_BLOCK_CUH_
