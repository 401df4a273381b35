// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/host/track.h"

#include <utility>

namespace halftoned::cuda {
namespace {

constexpr size_t kAlignment = 256;

constexpr size_t Aligned(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Takes parts from the beginning of a piece of memory.
class Cutter {
 public:
  explicit Cutter(std::byte* memory) : next_(memory) {}
  std::byte* Take(size_t bytes) {
    return bytes == 0 ? nullptr : std::exchange(next_, next_ + Aligned(bytes));
  }

 private:
  std::byte* next_;
};

Result<void> Equip(DeviceHealth& health, Slot& slot) {
  HALFTONED_TRY_ASSIGN(slot.stream, MakeStream(health));
  HALFTONED_TRY_ASSIGN(slot.fresh, MakeEvent(health));
  HALFTONED_TRY_ASSIGN(slot.copied, MakeEvent(health));
  HALFTONED_TRY_ASSIGN(slot.made, MakeEvent(health));
  HALFTONED_TRY_ASSIGN(slot.answered, MakeEvent(health));
  return {};
}

}  // namespace

size_t Track::Size::device_bytes() const {
  return kSlots * (Aligned(gray) + Aligned(bits) + Aligned(fresh_states)) +
         Aligned(tables) + Aligned(window);
}

size_t Track::Size::pinned_bytes() const {
  return kSlots *
             (Aligned(gray_host) + Aligned(bits_host) + Aligned(answer_host)) +
         Aligned(tables) + Aligned(window_host) + kWords;
}

bool Track::Size::Holds(const Size& other) const {
  return gray >= other.gray && bits >= other.bits &&
         fresh_states >= other.fresh_states && gray_host >= other.gray_host &&
         bits_host >= other.bits_host && answer_host >= other.answer_host &&
         tables >= other.tables && window >= other.window &&
         window_host >= other.window_host;
}

Result<std::unique_ptr<Track>> Track::Make(DeviceHealth& health,
                                           const Size& size) {
  auto track = std::make_unique<Track>();
  track->size_ = size;
  HALFTONED_TRY_ASSIGN(track->pinned_,
                       AllocatePinned(health, size.pinned_bytes()));
  HALFTONED_TRY_ASSIGN(track->device_,
                       AllocateDevice(health, size.device_bytes()));
  for (Slot& slot : track->slots_) HALFTONED_TRY(Equip(health, slot));
  HALFTONED_TRY_ASSIGN(track->second_, MakeStream(health));
  track->Lay();
  *track->called_off() = 0;
  return {std::move(track)};
}

void Track::Lay() {
  Cutter device(device_.get());
  Cutter host(pinned_.get());
  for (Slot& slot : slots_) {
    slot.gray = device.Take(size_.gray);
    slot.bits = device.Take(size_.bits);
    slot.fresh_states = device.Take(size_.fresh_states);
    slot.gray_host = host.Take(size_.gray_host);
    slot.bits_host = host.Take(size_.bits_host);
    slot.answer_host = host.Take(size_.answer_host);
  }
  tables_ = device.Take(size_.tables);
  tables_host_ = host.Take(size_.tables);
  window_ = device.Take(size_.window);
  window_host_ = host.Take(size_.window_host);
  words_ = host.Take(kWords);
}

}  // namespace halftoned::cuda
