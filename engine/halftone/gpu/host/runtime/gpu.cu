// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu.h with CUDA's runtime, except Launch.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "halftone/gpu/collect/launch_collecting.cuh"
#include "halftone/gpu/host/gpu.h"
#include "halftone/gpu/host/runtime/gpu_outcome.cuh"
#include "halftone/gpu/spread/launch_spreading.cuh"
#include "halftone/gpu/swap/launch_swapping.cuh"

namespace halftoned::cuda::gpu {
namespace {

cudaEvent_t Cuda(Event* event) { return reinterpret_cast<cudaEvent_t>(event); }

std::string UuidOf(const cudaUUID_t& uuid) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += "-";
    const auto byte = static_cast<uint8_t>(uuid.bytes[i]);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Outcome Copy(const Rows& rows, cudaMemcpyKind kind, Stream* stream) {
  const bool is_one_piece =
      rows.to_pitch == rows.from_pitch && rows.to_pitch == rows.row_bytes;
  return OutcomeOf(is_one_piece
                       ? cudaMemcpyAsync(rows.to, rows.from,
                                         rows.row_bytes * rows.rows, kind,
                                         Cuda(stream))
                       : cudaMemcpy2DAsync(rows.to, rows.to_pitch, rows.from,
                                           rows.from_pitch, rows.row_bytes,
                                           rows.rows, kind, Cuda(stream)));
}

}  // namespace

Versions VersionsHere() {
  Versions versions;
  static_cast<void>(cudaRuntimeGetVersion(&versions.runtime));
  static_cast<void>(cudaDriverGetVersion(&versions.driver));
  return versions;
}

Outcome Attach(int ordinal) { return OutcomeOf(cudaSetDevice(ordinal)); }

Outcome Learn(int ordinal, Facts* facts) {
  cudaDeviceProp properties;
  cudaError_t error = cudaGetDeviceProperties(&properties, ordinal);
  if (error != cudaSuccess) return OutcomeOf(error);
  facts->name = properties.name;
  facts->uuid = UuidOf(properties.uuid);
  facts->memory_bytes = properties.totalGlobalMem;
  facts->multiprocessors = properties.multiProcessorCount;
  error =
      ResidentCollectingBlocks(&facts->collecting_blocks_per_multiprocessor);
  if (error != cudaSuccess) return OutcomeOf(error);
  return OutcomeOf(
      ResidentSpreadingBlocks(&facts->spreading_blocks_per_multiprocessor));
}

Outcome AllocateDevice(std::byte** memory, size_t bytes) {
  return OutcomeOf(cudaMalloc(reinterpret_cast<void**>(memory), bytes));
}
void FreeDevice(std::byte* memory) { static_cast<void>(cudaFree(memory)); }

Outcome AllocatePinned(std::byte** memory, size_t bytes) {
  return OutcomeOf(cudaMallocHost(reinterpret_cast<void**>(memory), bytes));
}
void FreePinned(std::byte* memory) { static_cast<void>(cudaFreeHost(memory)); }

Outcome Pin(std::byte* memory, size_t bytes, bool is_written) {
  const unsigned flags =
      is_written ? cudaHostRegisterDefault : cudaHostRegisterReadOnly;
  const cudaError_t error = cudaHostRegister(memory, bytes, flags);
  Outcome outcome = OutcomeOf(error);
  // If the system does not allow it, nothing is damaged.
  if (error == cudaErrorNotSupported || error == cudaErrorInvalidValue ||
      error == cudaErrorOperatingSystem || error == cudaErrorNotPermitted ||
      error == cudaErrorHostMemoryAlreadyRegistered) {
    outcome.fault = Fault::kRefused;
  }
  return outcome;
}
void Unpin(std::byte* memory) { static_cast<void>(cudaHostUnregister(memory)); }

Outcome MakeStream(Stream** stream) {
  return OutcomeOf(cudaStreamCreateWithFlags(
      reinterpret_cast<cudaStream_t*>(stream), cudaStreamNonBlocking));
}
void EndStream(Stream* stream) {
  static_cast<void>(cudaStreamDestroy(Cuda(stream)));
}

Outcome MakeEvent(Event** event) {
  return OutcomeOf(cudaEventCreateWithFlags(
      reinterpret_cast<cudaEvent_t*>(event), cudaEventDisableTiming));
}
void EndEvent(Event* event) {
  static_cast<void>(cudaEventDestroy(Cuda(event)));
}

Outcome CopyUp(const Rows& rows, Stream* stream) {
  return Copy(rows, cudaMemcpyHostToDevice, stream);
}
Outcome CopyDown(const Rows& rows, Stream* stream) {
  return Copy(rows, cudaMemcpyDeviceToHost, stream);
}
Outcome Fill(std::byte* device, int byte, size_t bytes, Stream* stream) {
  return OutcomeOf(cudaMemsetAsync(device, byte, bytes, Cuda(stream)));
}
Outcome Swap(const SwapJob& job, Stream* stream) {
  return OutcomeOf(LaunchSwapping(job, Cuda(stream)));
}
Outcome Record(Event* event, Stream* stream) {
  return OutcomeOf(cudaEventRecord(Cuda(event), Cuda(stream)));
}
Outcome Follow(Event* event, Stream* stream) {
  return OutcomeOf(cudaStreamWaitEvent(Cuda(stream), Cuda(event), 0));
}
Outcome Query(Event* event) { return OutcomeOf(cudaEventQuery(Cuda(event))); }
Outcome Wait(Event* event) {
  return OutcomeOf(cudaEventSynchronize(Cuda(event)));
}
Outcome Drain(Stream* stream) {
  return OutcomeOf(cudaStreamSynchronize(Cuda(stream)));
}

}  // namespace halftoned::cuda::gpu
