// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cuda/launch.cuh"
#include "halftone/cuda/launch_build.cuh"

namespace halftoned::cuda {

cudaError_t Launch(const Batch& batch, int levels, cudaStream_t stream) {
  return LaunchBuild<false>(batch, levels, stream);
}

cudaError_t ResidentBlocks(int* per_multiprocessor) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      per_multiprocessor, HalftoneStrips<ManyLevels<16>, false>,
      kTuning.threads, kTermsOf16 * sizeof(int32_t));
}

}  // namespace halftoned::cuda
