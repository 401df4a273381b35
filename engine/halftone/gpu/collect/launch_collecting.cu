// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/collect/launch_collecting.cuh"
#include "halftone/gpu/collect/levels.cuh"

namespace halftoned::cuda {

cudaError_t LaunchCollecting(const Batch& batch, const Recipe& recipe,
                             cudaStream_t stream) {
  switch (recipe.levels().count) {
    case 2:
      return collect::LaunchLevels<TwoLevels>(batch, stream);
    case 4:
      return collect::LaunchLevels<ManyLevels<4>>(batch, stream);
    case 8:
      return collect::LaunchLevels<ManyLevels<8>>(batch, stream);
    case 16:
      return collect::LaunchLevels<ManyLevels<16>>(batch, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t ResidentCollectingBlocks(int* per_multiprocessor) {
  // The levels' kernels differ little; this is the largest.
  return collect::ResidentBlocks<ManyLevels<16>>(per_multiprocessor);
}

}  // namespace halftoned::cuda
