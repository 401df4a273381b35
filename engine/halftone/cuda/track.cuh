// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A track: all that one page needs on its way over the GPU, kept from page to
// page, since pinned memory is dear to get. It is a ring of slots, a band each;
// a slot has a stream of its own, on which one band goes up, is halftoned and
// comes down.

#ifndef HALFTONED_HALFTONE_CUDA_TRACK_CUH_
#define HALFTONED_HALFTONE_CUDA_TRACK_CUH_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "halftone/cuda/band_job.h"
#include "halftone/cuda/geometry.h"
#include "halftone/cuda/owned.cuh"

namespace halftoned::cuda {

constexpr size_t RoundUp16(size_t bytes) { return (bytes + 15) / 16 * 16; }

// Where things lie in a slot, on the device and, up to `between`, on the host:
//
//   slot = gray { bits states_out control } { states of strips between }
//
// What is in the first braces comes down in one copy; all but gray and bits is
// made fresh by one memset. Every part begins at a multiple of 16 bytes.
struct SlotLayout {
  size_t gray_pitch;
  size_t bits_pitch;
  size_t state_row;  // bytes

  static constexpr size_t kControlBytes = 16;  // verdict, ticket

  size_t gray_bytes(int32_t rows) const {
    return gray_pitch * static_cast<size_t>(rows);
  }
  // Offsets from the bits on.
  size_t states_out(int32_t rows) const {
    return bits_pitch * static_cast<size_t>(rows);
  }
  size_t control(int32_t rows) const { return states_out(rows) + state_row; }
  size_t result_bytes(int32_t rows) const {
    return control(rows) + kControlBytes;
  }
  size_t fresh_bytes(int32_t rows) const {
    return state_row * static_cast<size_t>(StripsOf(rows)) + kControlBytes;
  }
};

struct Slot {
  Stream stream;
  Event fresh;      // hand-off memory is fresh, the page's tables are there
  Event halftoned;  // the kernel has ended
  Event answered;   // bits and states are on the host
  PinnedMemory gray_host, result_host;
  DeviceMemory gray, result;
};

class Track {
 public:
  static constexpr size_t kSlots = 8;

  // Bytes of each kind of memory in a slot; `tables` once a track: the carry
  // that the page begins with, and its tone.
  struct Size {
    size_t gray, result_host, result, tables;

    size_t device_bytes() const { return kSlots * (gray + result) + tables; }
    size_t pinned_bytes() const {
      return kSlots * (gray + result_host) + tables + kWords;
    }
    bool Holds(const Size& other) const {
      return gray >= other.gray && result_host >= other.result_host &&
             result >= other.result && tables >= other.tables;
    }
  };

  static Result<std::unique_ptr<Track>> Make(Health& health, const Size& size);

  const Size& size() const { return size_; }
  Slot& slot(uint64_t band) { return slots_[band % kSlots]; }
  std::byte* tables() { return tables_.get(); }
  std::byte* tables_host() { return tables_host_.get(); }

  // Read by the kernels of this track while they wait.
  uint32_t* called_off() { return reinterpret_cast<uint32_t*>(words_.get()); }

 private:
  static constexpr size_t kWords = 64;

  Size size_;
  std::array<Slot, kSlots> slots_;
  PinnedMemory tables_host_, words_;
  DeviceMemory tables_;
};

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_TRACK_CUH_
