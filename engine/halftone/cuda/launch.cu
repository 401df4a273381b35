// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cuda/launch.cuh"
#include "halftone/cuda/launch_build.cuh"

namespace halftoned::cuda {

cudaError_t Launch(const Batch& batch, int levels, cudaStream_t stream) {
  return LaunchBuild<false>(batch, levels, stream);
}

cudaError_t ResidentBlocks(int* per_multiprocessor) {
  // The levels' kernels differ little; this is the largest.
  constexpr size_t kToneBytes = kTermsOf16 * sizeof(int32_t);
  const auto kernel = HalftoneStrips<ManyLevels<16>, false>;
  const cudaError_t error = cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int{kToneBytes});
  if (error != cudaSuccess) return error;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      per_multiprocessor, kernel, kTuning.threads, kToneBytes);
}

}  // namespace halftoned::cuda
