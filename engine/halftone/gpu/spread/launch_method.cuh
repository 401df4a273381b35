// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements methods.cuh.

#pragma once

#include <cuda_runtime_api.h>

#include "halftone/gpu/common/job_table.cuh"
#include "halftone/gpu/spread/carry_word.h"
#include "halftone/gpu/spread/methods.cuh"
#include "halftone/gpu/spread/spread_strips.cuh"

namespace halftoned::cuda::spread {

// The bytes of shared memory, with the largest table of pixel words.
template <class Method>
constexpr size_t MostBytes() {
  return sizeof(Shared<Method>) + kMostTableBytes;
}

template <class Method>
cudaError_t AllowMostBytes() {
  return cudaFuncSetAttribute(SpreadStrips<Method>,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(MostBytes<Method>()));
}

template <class Method>
cudaError_t LaunchMethod(const Batch& batch, const Recipe& recipe,
                         cudaStream_t stream) {
  const cudaError_t error = AllowMostBytes<Method>();
  if (error != cudaSuccess) return error;
  const Parameters parameters{OutsideCarryWord(recipe),
                              Method::ParametersOf(recipe)};
  const unsigned blocks =
      static_cast<unsigned>(batch.strips) * batch.jobs_count;
  SpreadStrips<Method>
      <<<blocks, kThreads, sizeof(Shared<Method>) + TableBytes(batch),
         stream>>>(batch, parameters);
  return cudaGetLastError();
}

template <class Method>
cudaError_t ResidentBlocks(int* per_multiprocessor) {
  *per_multiprocessor = 0;
  const cudaError_t error = AllowMostBytes<Method>();
  if (error == cudaErrorInvalidValue) {  // more than this GPU's blocks may have
    static_cast<void>(cudaGetLastError());
    return cudaSuccess;
  }
  if (error != cudaSuccess) return error;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      per_multiprocessor, SpreadStrips<Method>, kThreads, MostBytes<Method>());
}

}  // namespace halftoned::cuda::spread
