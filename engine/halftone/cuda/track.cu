// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <utility>

#include "halftone/cuda/track.cuh"

namespace halftoned::cuda {
namespace {

Result<Slot> MakeSlot(Health& health, const Track::Size& size) {
  Slot slot;
  HALFTONED_TRY_ASSIGN(slot.stream, MakeStream(health));
  HALFTONED_TRY_ASSIGN(slot.fresh, MakeEvent(health));
  HALFTONED_TRY_ASSIGN(slot.halftoned, MakeEvent(health));
  HALFTONED_TRY_ASSIGN(slot.answered, MakeEvent(health));
  HALFTONED_TRY_ASSIGN(slot.gray_host, AllocatePinned(health, size.gray));
  HALFTONED_TRY_ASSIGN(slot.result_host,
                       AllocatePinned(health, size.result_host));
  HALFTONED_TRY_ASSIGN(slot.gray, AllocateDevice(health, size.gray));
  HALFTONED_TRY_ASSIGN(slot.result, AllocateDevice(health, size.result));
  return {std::move(slot)};
}

}  // namespace

Result<std::unique_ptr<Track>> Track::Make(Health& health, const Size& size) {
  auto track = std::make_unique<Track>();
  track->size_ = size;
  for (Slot& slot : track->slots_) {
    HALFTONED_TRY_ASSIGN(slot, MakeSlot(health, size));
  }
  HALFTONED_TRY_ASSIGN(track->tables_host_,
                       AllocatePinned(health, size.tables));
  HALFTONED_TRY_ASSIGN(track->tables_, AllocateDevice(health, size.tables));
  HALFTONED_TRY_ASSIGN(track->words_, AllocatePinned(health, kWords));
  *track->called_off() = 0;
  return {std::move(track)};
}

}  // namespace halftoned::cuda
