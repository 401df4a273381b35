// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is got from CUDA and must be given back: memory, streams, events.

#ifndef HALFTONED_HALFTONE_CUDA_OWNED_CUH_
#define HALFTONED_HALFTONE_CUDA_OWNED_CUH_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "halftone/cuda/check.cuh"

namespace halftoned::cuda {

template <auto free_function>
struct Free {
  template <typename T>
  void operator()(T* owned) const {
    static_cast<void>(free_function(owned));
  }
};

using DeviceMemory = std::unique_ptr<std::byte, Free<cudaFree>>;
using PinnedMemory = std::unique_ptr<std::byte, Free<cudaFreeHost>>;
using Stream = std::unique_ptr<CUstream_st, Free<cudaStreamDestroy>>;
using Event = std::unique_ptr<CUevent_st, Free<cudaEventDestroy>>;

inline Result<DeviceMemory> AllocateDevice(Health& health, size_t bytes) {
  void* memory = nullptr;
  HALFTONED_TRY(
      health.Check(cudaMalloc(&memory, bytes), "get memory of the GPU"));
  return DeviceMemory(static_cast<std::byte*>(memory));
}

inline Result<PinnedMemory> AllocatePinned(Health& health, size_t bytes) {
  void* memory = nullptr;
  HALFTONED_TRY(
      health.Check(cudaMallocHost(&memory, bytes), "get pinned memory"));
  return PinnedMemory(static_cast<std::byte*>(memory));
}

inline Result<Stream> MakeStream(Health& health) {
  cudaStream_t stream = nullptr;
  HALFTONED_TRY(
      health.Check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                   "make a stream"));
  return Stream(stream);
}

inline Result<Event> MakeEvent(Health& health) {
  cudaEvent_t event = nullptr;
  HALFTONED_TRY(
      health.Check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming),
                   "make an event"));
  return Event(event);
}

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_OWNED_CUH_
