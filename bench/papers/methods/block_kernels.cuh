// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After Kasagi, Nakano and Ito, "Parallelization Techniques for Error Diffusion
// with GPU Implementations", section V (register caching: section II), and
// their "Implementations of Parallel Error Diffusion Optimized for GPUs",
// section III.
//
// A block is 32 rows of 32 pixels; each row lies two columns to the left of
// the row above. One warp works on it, one thread per row. Block (strip, x) has
// the label 3 · strip + x; blocks of one label are independent, and each label
// is a kernel launch.
//
// The work on a block is done in a shared array of 33 × 35 numbers,
// whose pitch keeps the warp's accesses to a column in different banks
// (3i + j mod 32). The papers rely on the threads of a warp to run in lockstep;
// newer GPUs do not guarantee that, so each step ends with a __syncwarp.

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "bench/papers/methods/arithmetic.h"

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

using BlockArray = int[kSide + 1][kSide + 3];

// Collection. Row 0 of the array is the row above the block, and columns 0 to 2
// are the three pixels to the left; pixel k of row i is a[i + 1][k + 3]: first
// its gray, then its error. Its neighbors are left a[i + 1][k + 2], above left
// a[i][k], above a[i][k + 1], above right a[i][k + 2].

__device__ inline void LoadForCollection(const BlockPage& page,
                                         const Block& block, BlockArray& a,
                                         int lane) {
  for (int i = 0; i < kSide; ++i) {
    a[i + 1][lane + 3] = block.IsOnPage(page, i, lane)
                             ? page.gray[block.PixelAt(page, i, lane)]
                             : 0;
  }
  const int row = block.row(lane);
  for (int m = 0; m < 3; ++m) {
    a[lane + 1][m] = row < page.rows ? page.r[m * page.rows + row] : 0;
  }
  for (int k = lane; k < kSide + 2; k += kSide) {
    const int column = block.column(0, k - 1);
    a[0][k] = column >= 0 && column < page.width ? page.c[column] : 0;
  }
  __syncwarp();
}

__device__ inline void StoreForCollection(const BlockPage& page,
                                          const Block& block,
                                          const BlockArray& a, int lane) {
  const int row = block.row(lane);
  if (row < page.rows) {
    for (int m = 0; m < 3; ++m) {
      page.r[m * page.rows + row] = a[lane + 1][kSide + m];
    }
  }
  const int column = block.column(kSide - 1, lane);
  if (column >= 0 && column < page.width) page.c[column] = a[kSide][lane + 3];
}

__device__ inline void Collection(const BlockPage& page, const Block& block,
                                  BlockArray& a, BlockBits& bits, int lane) {
  const int i = lane;
  for (int k = 0; k < kSide; ++k) {
    const auto [r, e] =
        Collect(static_cast<uint8_t>(a[i + 1][k + 3]), a[i + 1][k + 2], a[i][k],
                a[i][k + 1], a[i][k + 2]);
    bits[i][k] = r;
    a[i + 1][k + 3] = block.IsOnPage(page, i, k) ? e : 0;
    __syncwarp();
  }
}

// Only the gray and the error above right of the five values are read.
__device__ inline void CachedCollection(const BlockPage& page,
                                        const Block& block, BlockArray& a,
                                        BlockBits& bits, int lane) {
  const int i = lane;
  int left = a[i + 1][2];
  int above_left = a[i][0];
  int above = a[i][1];
  for (int k = 0; k < kSide; ++k) {
    const int above_right = a[i][k + 2];
    const auto [r, e] = Collect(static_cast<uint8_t>(a[i + 1][k + 3]), left,
                                above_left, above, above_right);
    bits[i][k] = r;
    left = block.IsOnPage(page, i, k) ? e : 0;
    a[i + 1][k + 3] = left;
    above_left = above;
    above = above_right;
    __syncwarp();
  }
}

// Diffusion. Pixel k of row i is a[i][k], in sixteenths; row 32 is the row
// below the block, and columns 32 to 34 the three pixels to the right. Below
// pixel k lies a[i + 1][k + 2].

__device__ inline void LoadForDiffusion(const BlockPage& page,
                                        const Block& block, BlockArray& a,
                                        int lane) {
  for (int i = 0; i < kSide; ++i) {
    a[i][lane] = block.IsOnPage(page, i, lane)
                     ? SixteenthsOf(page.gray[block.PixelAt(page, i, lane)])
                     : 0;
  }
  for (int m = 0; m < 3; ++m) a[lane][kSide + m] = 0;
  for (int k = lane; k < kSide + 3; k += kSide) a[kSide][k] = 0;
  __syncwarp();
  const int row = block.row(lane);
  if (row < page.rows) {
    for (int m = 0; m < 3; ++m) a[lane][m] += page.r[m * page.rows + row];
  }
  __syncwarp();
  const int column = block.column(0, lane);
  if (column >= 0 && column < page.width) {
    a[0][lane] += page.c[column];
    page.c[column] = 0;  // from now on for the strip below
  }
  __syncwarp();
}

__device__ inline void StoreForDiffusion(const BlockPage& page,
                                         const Block& block,
                                         const BlockArray& a, int lane) {
  const int row = block.row(lane);
  if (row < page.rows) {
    for (int m = 0; m < 3; ++m) {
      page.r[m * page.rows + row] = a[lane][kSide + m];
    }
  }
  for (int k = lane; k < kSide + 3; k += kSide) {
    const int column = block.column(kSide, k);
    if (column >= 0 && column < page.width) page.c[column] += a[kSide][k];
  }
}

// Thread i adds to the right what thread i + 1 finds on its right too, from
// above: one after the other.
__device__ inline void Diffusion(const BlockPage& page, const Block& block,
                                 BlockArray& a, BlockBits& bits, int lane) {
  const int i = lane;
  for (int k = 0; k < kSide; ++k) {
    const auto [r, error] = Quantise(Rounded(a[i][k]));
    const int e = block.IsOnPage(page, i, k) ? error : 0;
    bits[i][k] = r;
    a[i][k + 1] += 7 * e;
    __syncwarp();
    a[i + 1][k + 1] += 3 * e;
    a[i + 1][k + 2] += 5 * e;
    a[i + 1][k + 3] += e;
    __syncwarp();
  }
}

// The error for the right neighbor stays in a register, and so do the sums for
// two pixels of the row below: only one thread writes to that row.
__device__ inline void CachedDiffusion(const BlockPage& page,
                                       const Block& block, BlockArray& a,
                                       BlockBits& bits, int lane) {
  const int i = lane;
  int from_left = 0;
  int below_left = a[i + 1][1];
  int below = a[i + 1][2];
  for (int k = 0; k < kSide; ++k) {
    const auto [r, error] = Quantise(Rounded(a[i][k] + from_left));
    const int e = block.IsOnPage(page, i, k) ? error : 0;
    bits[i][k] = r;
    from_left = 7 * e;
    a[i + 1][k + 1] = below_left + 3 * e;
    below_left = below + 5 * e;
    below = a[i + 1][k + 3] + e;
    __syncwarp();
  }
  a[i + 1][kSide + 1] = below_left;
  a[i + 1][kSide + 2] = below;
  __syncwarp();
  a[i][kSide] += from_left;
  __syncwarp();
}

// Collection with register caching taken further than the papers do: a
// neighbor's error comes from its thread's register, by a shuffle, and only
// gray and bits go through shared memory.
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
