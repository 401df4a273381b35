// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After Kasagi, Nakano and Ito, "Parallelization Techniques for Error Diffusion
// with GPU Implementations", section V, and their "Implementations of Parallel
// Error Diffusion Optimized for GPUs", section III.
//
// Where a parallelogram block lies, and what leads into it and out of it.
//
// A block is 32 rows of 32 pixels; each row lies two columns to the left of
// the row above. One warp takes it, a thread a row. Block (strip, x) has the
// label 3 · strip + x; blocks of one label need nothing of each other, and
// labels follow each other as kernel launches.

#ifndef HALFTONED_BENCH_PAPERS_METHODS_BLOCKWISE_CUH_
#define HALFTONED_BENCH_PAPERS_METHODS_BLOCKWISE_CUH_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace halftoned::papers {

inline constexpr int kSide = 32;  // w in the papers

struct BlockPage {
  const uint8_t* gray;
  uint8_t* pixels;
  int width;
  int rows;
  // Data between blocks. Collection: errors of the bottom row, by column, and
  // of each row's last three pixels. Diffusion: sums to add to the row below,
  // and to each row's next three pixels. Initially 0.
  int* c;  // width
  int* r;  // 3 · rows

  int strips() const { return (rows + kSide - 1) / kSide; }
  int blocks_per_strip() const {
    return (width + 2 * (kSide - 1) + kSide - 1) / kSide;
  }
  int labels() const { return 3 * (strips() - 1) + blocks_per_strip(); }
};

struct Block {
  int first_row;
  int first_column;  // of row 0; may lie outside the page

  static __device__ Block Of(int label, int strip) {
    return {strip * kSide, (label - 3 * strip) * kSide};
  }
  __device__ int row(int i) const { return first_row + i; }
  __device__ int column(int i, int k) const { return first_column - 2 * i + k; }
  __device__ bool IsOnPage(const BlockPage& page, int i, int k) const {
    return row(i) < page.rows && column(i, k) >= 0 && column(i, k) < page.width;
  }
  __device__ ptrdiff_t PixelAt(const BlockPage& page, int i, int k) const {
    return ptrdiff_t{row(i)} * page.width + column(i, k);
  }
};

// The binary image of a block; the pitch keeps a column's writes apart.
using BlockBits = uint8_t[kSide][kSide + 4];

__device__ inline void StoreBits(const BlockPage& page, const Block& block,
                                 const BlockBits& bits, int lane) {
  for (int i = 0; i < kSide; ++i) {
    if (block.IsOnPage(page, i, lane)) {
      page.pixels[block.PixelAt(page, i, lane)] = bits[i][lane];
    }
  }
}

}  // namespace halftoned::papers

#endif  // HALFTONED_BENCH_PAPERS_METHODS_BLOCKWISE_CUH_
