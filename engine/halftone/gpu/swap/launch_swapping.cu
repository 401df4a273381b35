// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>

#include "halftone/gpu/swap/launch_swapping.cuh"
#include "halftone/gpu/swap/read_rows.cuh"
#include "halftone/gpu/swap/save_rows.cuh"
#include "halftone/gpu/swap/sweep_blocks.cuh"
#include "halftone/gpu/swap/sweep_on_paper.cuh"

namespace halftoned::cuda {
namespace {

unsigned Blocks(int items, int of_block) {
  return static_cast<unsigned>((items + of_block - 1) / of_block);
}

// Enough stretches to write all bits of the window's rows that are read.
unsigned StretchesOf(const SwapJob& job, int shift) {
  const int columns = static_cast<int>(job.window.tone_pitch) +
                      (shift > 0 ? swap::kPairColumns - shift : 0);
  return Blocks(columns, swap::kStretchColumns);
}

template <int sweep>
void LaunchStage(const SwapJob& job, int stage, cudaStream_t stream) {
  const SwapJob::Blocks& blocks = job.stages[stage];
  const dim3 grid(StretchesOf(job, blocks.shift),
                  static_cast<unsigned>(blocks.count));
  if (job.feedback > 0) {
    swap::SweepOnPaper<sweep><<<grid, swap::kThreads, 0, stream>>>(
        job, swap::PaperNumbers::Of(job.feedback), stage);
  } else {
    swap::SweepBlocks<sweep><<<grid, swap::kThreads, 0, stream>>>(job, stage);
  }
}

}  // namespace

cudaError_t LaunchSwapping(const SwapJob& job, cudaStream_t stream) {
  if (job.rows > 0) {
    constexpr unsigned kMost = 1024;  // more than can be resident
    const int chunks =
        static_cast<int>(job.window.tone_pitch) / swap::kChunk * job.rows;
    swap::ReadRows<<<std::min(Blocks(chunks, swap::kReadThreads), kMost),
                     swap::kReadThreads, 0, stream>>>(job);
  }
  for (int stage = 0; stage < kSweepStages; ++stage) {
    if (job.stages[stage].count <= 0) continue;
    static_assert(kSweeps == 2);
    if (stage < 2) {
      LaunchStage<0>(job, stage, stream);
    } else {
      LaunchStage<1>(job, stage, stream);
    }
  }
  if (job.carry) {
    swap::SaveRows<<<Blocks(job.width, swap::kSaveThreads), swap::kSaveThreads,
                     0, stream>>>(job);
  }
  return cudaGetLastError();
}

}  // namespace halftoned::cuda
