// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block of 32 threads takes a parallelogram of 32 × 32 pixels, thread l
// its row l, which lies 2l columns to the left of row 0. Its pixels and its
// bits go through shared memory, so that global memory is accessed in rows;
// its top errors come from the array C, its left errors from R, and its own
// go back there. Blocks of one label need nothing of each other; labels follow
// each other as kernel launches.

#include <algorithm>

#include "tests/papers/bwec.h"

namespace halftoned::papers {
namespace {

constexpr int kSide = 32;

__global__ void Block(BwecPage page, int label, int first_strip) {
  __shared__ uint8_t gray[kSide][kSide + 4];
  __shared__ uint8_t bits[kSide][kSide + 4];
  __shared__ int top[kSide + 2];  // errors above, from one column to the left
  __shared__ int bottom[kSide];

  const int lane = static_cast<int>(threadIdx.x);
  const int strip = first_strip + static_cast<int>(blockIdx.x);
  const int first_column = (label - 3 * strip) * kSide;  // of row 0
  const int row = strip * kSide + lane;
  const auto on_page = [&](int i, int j) {
    return i < page.rows && j >= 0 && j < page.width;
  };

  for (int i = 0; i < kSide; ++i) {
    const int column = first_column - 2 * i + lane;
    const int y = strip * kSide + i;
    gray[i][lane] =
        on_page(y, column) ? page.gray[y * page.gray_pitch + column] : 0;
  }
  for (int i = lane; i < kSide + 2; i += kSide) {
    const int column = first_column - 1 + i;
    top[i] = column >= 0 && column < page.width ? page.c[column] : 0;
  }
  __syncwarp();

  int left = 0, left2 = 0, left3 = 0;
  if (row < page.rows) {
    left = page.r[row];
    left2 = page.r[page.rows + row];
    left3 = page.r[2 * page.rows + row];
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
    const int sum = 7 * left + above_left + 5 * above + 3 * above_right;
    const int s = 16 * gray[lane][k] + ((sum + 8) >> 4);
    const int bit = s > 2040;
    const bool inside = on_page(row, first_column - 2 * lane + k);
    left3 = left2;
    left2 = left;
    left = inside ? s - 4080 * bit : 0;
    bits[lane][k] = static_cast<uint8_t>(bit);
    if (lane == kSide - 1) bottom[k] = left;
    above_left = above;
    above = above_right;
  }
  __syncwarp();

  if (row < page.rows) {
    page.r[row] = left;
    page.r[page.rows + row] = left2;
    page.r[2 * page.rows + row] = left3;
  }
  const int bottom_column = first_column - 2 * (kSide - 1) + lane;
  if (bottom_column >= 0 && bottom_column < page.width) {
    page.c[bottom_column] = bottom[lane];
  }
  for (int i = 0; i < kSide; ++i) {
    const int column = first_column - 2 * i + lane;
    const int y = strip * kSide + i;
    if (on_page(y, column)) {
      page.pixels[y * page.pixels_pitch + column] = bits[i][lane];
    }
  }
}

}  // namespace

cudaError_t Bwec(const BwecPage& page, cudaStream_t stream) {
  const int strips = (page.rows + kSide - 1) / kSide;
  const int blocks = (page.width + 2 * (kSide - 1) + kSide - 1) / kSide;
  for (int label = 0; label < 3 * (strips - 1) + blocks; ++label) {
    const int first = std::max(0, (label - blocks + 1 + 2) / 3);
    const int last = std::min(strips - 1, label / 3);
    Block<<<static_cast<unsigned>(last - first + 1), kSide, 0, stream>>>(
        page, label, first);
  }
  return cudaGetLastError();
}

}  // namespace halftoned::papers
