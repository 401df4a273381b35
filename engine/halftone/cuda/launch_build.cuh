// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting either build of the kernel.

#ifndef HALFTONED_HALFTONE_CUDA_LAUNCH_BUILD_CUH_
#define HALFTONED_HALFTONE_CUDA_LAUNCH_BUILD_CUH_

#include <cuda_runtime_api.h>

#include <algorithm>

#include "halftone/cuda/kernel.cuh"

namespace halftoned::cuda {

inline size_t ToneBytes(const Batch& batch) {
  size_t terms = 0;
  for (int i = 0; i < batch.jobs_count; ++i) {
    const BandJob& job = batch.jobs[i];
    if (job.tone == nullptr) continue;
    terms = std::max<size_t>(terms, job.deep ? kTermsOf16 : kTermsOf8);
  }
  return terms * sizeof(int32_t);
}

template <class Levels, bool chaos>
cudaError_t LaunchLevels(const Batch& batch, cudaStream_t stream) {
  const auto kernel = HalftoneStrips<Levels, chaos>;
  const size_t tone_bytes = ToneBytes(batch);
  if (tone_bytes > kTermsOf8 * sizeof(int32_t)) {
    const cudaError_t error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        static_cast<int>(kTermsOf16 * sizeof(int32_t)));
    if (error != cudaSuccess) return error;
  }
  const unsigned blocks =
      static_cast<unsigned>(batch.strips) * batch.jobs_count;
  kernel<<<blocks, kTuning.threads, tone_bytes, stream>>>(batch);
  return cudaGetLastError();
}

template <bool chaos>
cudaError_t LaunchBuild(const Batch& batch, int levels, cudaStream_t stream) {
  switch (levels) {
    case 2:
      return LaunchLevels<TwoLevels, chaos>(batch, stream);
    case 4:
      return LaunchLevels<ManyLevels<4>, chaos>(batch, stream);
    case 8:
      return LaunchLevels<ManyLevels<8>, chaos>(batch, stream);
    case 16:
      return LaunchLevels<ManyLevels<16>, chaos>(batch, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_LAUNCH_BUILD_CUH_
