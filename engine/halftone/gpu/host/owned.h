// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources of a GPU that must be released: memory, streams, events.

#pragma once

#include <cstddef>
#include <memory>

#include "halftone/gpu/host/device_health.h"
#include "halftone/gpu/host/gpu.h"

namespace halftoned::cuda {

template <auto free_function>
struct Free {
  template <typename T>
  void operator()(T* owned) const {
    free_function(owned);
  }
};

using DeviceMemory = std::unique_ptr<std::byte, Free<gpu::FreeDevice>>;
using PinnedMemory = std::unique_ptr<std::byte, Free<gpu::FreePinned>>;
using Pinning = std::unique_ptr<std::byte, Free<gpu::Unpin>>;  // of a caller's
using Stream = std::unique_ptr<gpu::Stream, Free<gpu::EndStream>>;
using Event = std::unique_ptr<gpu::Event, Free<gpu::EndEvent>>;

inline Result<DeviceMemory> AllocateDevice(DeviceHealth& health, size_t bytes) {
  std::byte* memory = nullptr;
  HALFTONED_TRY(health.Check(gpu::AllocateDevice(&memory, bytes),
                             "get memory of the GPU"));
  return DeviceMemory(memory);
}

inline Result<PinnedMemory> AllocatePinned(DeviceHealth& health, size_t bytes) {
  std::byte* memory = nullptr;
  HALFTONED_TRY(
      health.Check(gpu::AllocatePinned(&memory, bytes), "get pinned memory"));
  return PinnedMemory(memory);
}

inline Result<Pinning> Pin(DeviceHealth& health, std::byte* memory,
                           size_t bytes, bool is_written) {
  HALFTONED_TRY(
      health.Check(gpu::Pin(memory, bytes, is_written), "pin shared memory"));
  return Pinning(memory);
}

inline Result<Stream> MakeStream(DeviceHealth& health) {
  gpu::Stream* stream = nullptr;
  HALFTONED_TRY(health.Check(gpu::MakeStream(&stream), "make a stream"));
  return Stream(stream);
}

inline Result<Event> MakeEvent(DeviceHealth& health) {
  gpu::Event* event = nullptr;
  HALFTONED_TRY(health.Check(gpu::MakeEvent(&event), "make an event"));
  return Event(event);
}

}  // namespace halftoned::cuda
