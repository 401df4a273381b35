// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts CUDA's errors and handles to those of gpu.h.

#pragma once

#include <cuda_runtime_api.h>

#include "halftone/gpu/host/gpu.h"

namespace halftoned::cuda::gpu {

inline Fault FaultOf(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return Fault::kNone;
    case cudaErrorNotReady:
      return Fault::kNotReady;
    case cudaErrorMemoryAllocation:
      return Fault::kRefused;
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorDevicesUnavailable:
      return Fault::kAbsent;
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorInitializationError:
    case cudaErrorStubLibrary:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorNoKernelImageForDevice:
      return Fault::kMismatch;
    default:
      return Fault::kBroken;
  }
}

inline Outcome OutcomeOf(cudaError_t error) {
  if (error != cudaSuccess) static_cast<void>(cudaGetLastError());
  return {FaultOf(error), cudaGetErrorString(error)};
}

inline cudaStream_t Cuda(Stream* stream) {
  return reinterpret_cast<cudaStream_t>(stream);
}

}  // namespace halftoned::cuda::gpu
