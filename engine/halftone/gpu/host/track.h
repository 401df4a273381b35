// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A track: everything that one page needs on the GPU. Tracks are kept from page
// to page, because pinning memory is expensive. A track is a ring of slots, one
// for each band; each slot has its own stream, on which a band is halftoned and
// copied back.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "halftone/gpu/common/band_job.h"
#include "halftone/gpu/host/owned.h"

namespace halftoned::cuda {

constexpr size_t RoundUp16(size_t bytes) { return (bytes + 15) / 16 * 16; }

// Where things lie in a slot. On the device rows are padded, on the host they
// are not:
//
//   device = gray bits { [ states_out control ] states of strips between }
//   host   = gray bits   [ states_out control ]  states of cuts  planes
//
// One memset makes the parts in braces fresh; one copy brings down the parts in
// brackets. Every part on the device begins at a multiple of 16 bytes. Only
// `best` has the last two parts: states of its first pass, which are some of
// those of strips between; and what its second pass makes.
struct SlotLayout {
  size_t gray_row, gray_pitch;  // bytes, on the host and on the device
  size_t bits_row, bits_pitch;
  size_t state_row;
  size_t plane_bytes = 0;

  static constexpr size_t kControlBytes = 16;  // verdict, ticket

  static size_t RowBytes(size_t row, int32_t rows) {
    return row * static_cast<size_t>(rows);
  }
  // Bytes of the parts in brackets.
  size_t answer_bytes() const { return state_row + kControlBytes; }
  size_t fresh_bytes(int strips) const {
    return RowBytes(state_row, strips) + kControlBytes;
  }
  // Bytes of everything that comes down besides bits, with this many cuts.
  size_t host_bytes(int cuts) const {
    return answer_bytes() + RowBytes(state_row, cuts) + plane_bytes;
  }
};

struct Slot {
  Stream stream;
  Event fresh;     // hand-off memory is fresh, the page's tables are on the GPU
  Event copied;    // gray is on the GPU
  Event made;      // of `best`: the first pass has made its bits
  Event answered;  // the kernel has ended, bits and states are on the host
  // Parts of the track's memory. On the host, gray and bits are null in a track
  // for pages in caller-owned memory.
  std::byte *gray, *bits, *fresh_states;
  std::byte *gray_host, *bits_host, *answer_host;
};

class Track {
 public:
  static constexpr size_t kSlots = 8;

  // Bytes of each kind of memory in a slot. Once per track, on both sides:
  // `tables`, which are the carry at which the page begins and its tone; and
  // what the second pass of `best` needs.
  struct Size {
    size_t gray, bits, fresh_states;
    size_t gray_host, bits_host, answer_host;
    size_t tables;
    size_t window, window_host;

    // Every part has room to begin at a multiple of kAlignment.
    size_t device_bytes() const;
    size_t pinned_bytes() const;
    bool Holds(const Size& other) const;
  };

  static Result<std::unique_ptr<Track>> Make(DeviceHealth& health,
                                             const Size& size);

  const Size& size() const { return size_; }
  Slot& slot(uint64_t band) { return slots_[band % kSlots]; }
  std::byte* tables() { return tables_; }
  std::byte* tables_host() { return tables_host_; }
  std::byte* window() { return window_; }
  std::byte* window_host() { return window_host_; }
  // The stream of all second passes of the page, in the order of its bands.
  gpu::Stream* second() { return second_.get(); }

  // Read by the kernels of this track while they wait.
  uint32_t* called_off() { return reinterpret_cast<uint32_t*>(words_); }

 private:
  static constexpr size_t kWords = 64;

  void Lay();

  Size size_;
  PinnedMemory pinned_;
  DeviceMemory device_;
  std::array<Slot, kSlots> slots_;
  Stream second_;
  std::byte *tables_, *tables_host_, *window_, *window_host_, *words_;
};

}  // namespace halftoned::cuda
