// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of a stage of a sweep: a thread block does a stretch of a row of
// blocks, first the even blocks, then the odd ones. It reads the blocks' rows
// from one plane and writes to another, so that stretches may overlap.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/on_device.cuh"
#include "halftone/gpu/swap/block_swaps.cuh"
#include "halftone/gpu/swap/block_tile.cuh"
#include "halftone/gpu/swap/convolve.cuh"

namespace halftoned::cuda::swap {

struct SweepShared {
  BlockTile tile;
  KernelOfBlock kernel;
  BusyBlocks busy;
};

template <int sweep>
__global__ void __launch_bounds__(kThreads, kSweepBlocksPerMultiprocessor)
    SweepBlocks(const __grid_constant__ SwapJob job, int stage) {
  __shared__ SweepShared shared;
  BlockTile& tile = shared.tile;
  const int64_t first_row =
      job.stages[stage].first_row + int64_t{blockIdx.y} * 2 * kBestBlock;
  const Stretch stretch(static_cast<int>(blockIdx.x), job.stages[stage].shift);
  const std::byte* before = job.window.bits[sweep];
  std::byte* after = job.window.bits[sweep + 1];
  // The even rows of blocks around odd ones are done.
  const TileLoader loader(job, first_row, stretch.tile_column, before,
                          stage % 2 == 0 ? before : after);

  constexpr int kNumbers = int{sizeof(KernelOfBlock) / sizeof(int32_t)};
  for (int i = threadIdx.x; i < kNumbers; i += kThreads) {
    (&shared.kernel.at[0][0])[i] =
        (&OnDevice<BlockKernel<sweep>>().at[0][0])[i];
  }
  if (threadIdx.x < 2) shared.busy.count[threadIdx.x] = 0;
  const bool has_gray = __syncthreads_or(loader.Load(tile)) != 0;
  if (has_gray) {
    const int warp = static_cast<int>(threadIdx.x) / kLanes;
    const int lane = static_cast<int>(threadIdx.x) % kLanes;
#pragma unroll 1
    for (int phase = 0; phase < 2; ++phase) {
      const int window =
          stretch.window(warp * kBlocksPerWarp + lane / 4, phase);
      BlockFinder<sweep> finder(tile, window + kBestReach);
      int& count = shared.busy.count[phase];
      if (finder.ReadPixels()) {
        Sums sums;
        Convolution<sweep>().Run(tile, window, sums);
        finder.Queue(sums, shared.busy, count);
      }
      __syncthreads();
#pragma unroll 1
      for (int place = warp; place < count; place += kWarps) {
        const BusyBlocks::Block& block = shared.busy.block[place];
        BlockSwaps<sweep>(block, shared.kernel).Run(tile, block.column);
      }
      __syncthreads();
    }
  }
  StoreStretch(tile, job, loader, stretch, after);
}

}  // namespace halftoned::cuda::swap
