// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/engines/thread_gate.h"

namespace halftoned {

bool ThreadGate::TryEnter(int thread) {
  const auto [at, is_new] = places_.try_emplace(thread);
  Place& place = at->second;
  if (is_new) {
    auto opened = MachineSlot::Open(file_, slots_);
    if (opened.ok()) {
      place.slot = std::make_unique<MachineSlot>(std::move(*opened));
    }
  }
  if (!place.slot) return true;
  const Result<bool> taken = place.slot->TryTake();
  if (!taken.ok()) {
    place.slot.reset();
    return true;
  }
  place.holds = *taken;
  if (*taken) {
    place.waits_since.reset();
    return true;
  }
  const auto now = Clock::now();
  if (!place.waits_since) place.waits_since = now;
  return now - *place.waits_since >= patience_;
}

void ThreadGate::Leave(int thread) {
  Place& place = places_[thread];
  if (std::exchange(place.holds, false)) place.slot->GiveBack();
}

}  // namespace halftoned
