// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same as sweep_blocks.cuh, with print feedback.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/swap/paper_sums.cuh"
#include "halftone/gpu/swap/paper_swaps.cuh"
#include "halftone/gpu/swap/paper_tile.cuh"

namespace halftoned::cuda::swap {

struct PaperShared {
  PaperTile tile;
  PaperTables tables;
  int next[2];  // in each phase, the pair whose block is the next
};

// Called by all threads; ends when all have done their blocks.
template <int sweep>
__device__ void SwapOnPaper(PaperShared& shared, const Stretch& stretch) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
#pragma unroll 1
  for (int phase = 0; phase < 2; ++phase) {
    for (;;) {
      int pair = 0;
      if (lane == 0) pair = atomicAdd(&shared.next[phase], 1);
      pair = __shfl_sync(0xFFFFFFFF, pair, 0);
      // The last odd block of a stretch is not valid.
      if (pair >= kPairs - phase) break;
      PaperSwaps<sweep>(shared.tile, shared.tables,
                        stretch.first_column - stretch.tile_column,
                        pair * kPairColumns + phase * kBestBlock, phase == 0)
          .Run();
    }
    __syncthreads();
  }
}

template <int sweep>
__global__ void __launch_bounds__(kThreads, kSweepBlocksPerMultiprocessor)
    SweepOnPaper(const __grid_constant__ SwapJob job,
                 const __grid_constant__ PaperNumbers numbers, int stage) {
  __shared__ PaperShared shared;
  PaperTile& tile = shared.tile;
  const int64_t first_row =
      job.stages[stage].first_row + int64_t{blockIdx.y} * 2 * kBestBlock;
  const Stretch stretch(static_cast<int>(blockIdx.x), job.stages[stage].shift);
  const std::byte* before = job.window.bits[sweep];
  std::byte* after = job.window.bits[sweep + 1];
  // The even rows of blocks around odd ones are done.
  const PaperLoader loader(job, first_row, stretch.tile_column, before,
                           stage % 2 == 0 ? before : after);

  if (threadIdx.x < 2) shared.next[threadIdx.x] = 0;
  if (__syncthreads_or(loader.LoadOwn(tile)) != 0) {
    shared.tables.FillNumbers<sweep>(numbers);
    __syncthreads();
    shared.tables.FillGains();
    loader.LoadWindows(tile, shared.tables);
    __syncthreads();
    const PaperSums<sweep> sums(tile, stretch.window(0, 0));
    __syncthreads();
    sums.Store(tile);
    __syncthreads();
    SwapOnPaper<sweep>(shared, stretch);
  }
  StoreStretch(tile, job, loader, stretch, after);
}

}  // namespace halftoned::cuda::swap
