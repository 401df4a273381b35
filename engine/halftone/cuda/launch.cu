// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cuda/bi_level.cuh"
#include "halftone/cuda/handed_rows.h"
#include "halftone/cuda/launch.cuh"
#include "halftone/cuda/launch_build.cuh"

namespace halftoned::cuda {

cudaError_t Launch(const Batch& batch, const Recipe& recipe,
                   cudaStream_t stream) {
  switch (KernelFor(recipe)) {
    case KernelKind::kCollecting:
      return LaunchBuild<false>(batch, recipe.levels().count, stream);
    case KernelKind::kSpreading:
      return LaunchSpread(batch, recipe, stream);
    case KernelKind::kDeciding:
      return LaunchBiLevel(batch, stream);
  }
  return cudaErrorInvalidValue;
}

cudaError_t ResidentBlocks(int* per_multiprocessor) {
  // The levels' kernels differ little; this is the largest.
  const auto kernel = HalftoneStrips<ManyLevels<16>, false>;
  unsigned largest;
  cudaError_t error = LearnCluster(kernel, &largest);
  if (error != cudaSuccess) return error;
  error = AllowDynamic(kernel, largest > 1);
  if (error != cudaSuccess) return error;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      per_multiprocessor, kernel, kTuning.threads,
      MostDynamicBytes(largest > 1));
}

}  // namespace halftoned::cuda
