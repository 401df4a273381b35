// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data permutation, section IV of Kasagi, Nakano and Ito, "Parallelization
// Techniques for Error Diffusion with GPU Implementations": rows shifted
// against each other, then transposed by square tiles through shared memory, so
// that all accesses are coalesced (2n reads, 2n writes, two calls).

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace halftoned::papers {

inline constexpr int kRowThreads = 256;

// Blocks of kRowThreads threads, one per pixel.
inline dim3 RowsGrid(int width, int rows) {
  return {static_cast<unsigned>((width + kRowThreads - 1) / kRowThreads),
          static_cast<unsigned>(rows)};
}

// Row i moves right by i · delay, in rows that are that much longer.
template <bool back>
__global__ void MoveRows(const uint8_t* from, uint8_t* to, int width, int rows,
                         int delay) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const ptrdiff_t i = blockIdx.y;
  if (j >= width) return;
  const ptrdiff_t straight = i * width + j;
  const ptrdiff_t shifted = i * (width + delay * (rows - 1)) + j + i * delay;
  to[back ? straight : shifted] = from[back ? shifted : straight];
}
inline void ShiftRows(const uint8_t* from, uint8_t* to, int width, int rows,
                      int delay) {
  MoveRows<false>
      <<<RowsGrid(width, rows), kRowThreads>>>(from, to, width, rows, delay);
}
inline void UnshiftRows(const uint8_t* from, uint8_t* to, int width, int rows,
                        int delay) {
  MoveRows<true>
      <<<RowsGrid(width, rows), kRowThreads>>>(from, to, width, rows, delay);
}

template <typename T>
struct Sheet {
  T* at;
  int width, rows;
  ptrdiff_t pitch;
};

struct Same {
  __device__ uint8_t operator()(uint8_t value) const { return value; }
};

inline constexpr int kTile = 32;

// to[j][i] = form(from[i][j]); thread (x, y) of a block of kTile by 8.
template <typename From, typename To, typename Form>
__global__ void TransposeTile(Sheet<From> from, Sheet<To> to, Form form) {
  __shared__ int tile[kTile][kTile + 1];
  const int left = static_cast<int>(blockIdx.x) * kTile;  // in `from`
  const int top = static_cast<int>(blockIdx.y) * kTile;
  const int x = static_cast<int>(threadIdx.x);
  for (int y = static_cast<int>(threadIdx.y); y < kTile; y += 8) {
    if (top + y < from.rows && left + x < from.width) {
      tile[y][x] = from.at[(top + y) * from.pitch + left + x];
    }
  }
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < kTile; y += 8) {
    if (left + y < to.rows && top + x < to.width) {
      to.at[(left + y) * to.pitch + top + x] =
          form(static_cast<uint8_t>(tile[x][y]));
    }
  }
}

template <typename From, typename To, typename Form>
void Transpose(Sheet<From> from, Sheet<To> to, Form form) {
  const dim3 grid(static_cast<unsigned>((from.width + kTile - 1) / kTile),
                  static_cast<unsigned>((from.rows + kTile - 1) / kTile));
  TransposeTile<<<grid, dim3(kTile, 8)>>>(from, to, form);
}

}  // namespace halftoned::papers
