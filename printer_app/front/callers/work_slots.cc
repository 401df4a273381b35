// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/work_slots.h"

#include <algorithm>

#include "printer_app/front/callers/network.h"

namespace halftoned {

bool WorkSlots::Slot::Take(const std::string& network) {
  std::unique_lock lock(slots_.mutex_);
  if (is_taken_) return true;
  network_ = network;
  site_ = SiteOf(network);
  is_taken_ = !is_given_up_ && slots_.counts_.Enter(network_);
  if (is_taken_) return true;
  slots_.waiting_.push_back(this);
  changed_.wait(lock, [this] { return is_taken_ || is_given_up_; });
  if (!is_taken_) slots_.waiting_.remove(this);
  return is_taken_;
}

void WorkSlots::Slot::Leave() {
  const std::lock_guard lock(slots_.mutex_);
  if (!is_taken_) return;
  is_taken_ = false;
  slots_.counts_.Leave(network_);
  slots_.Give();
}

void WorkSlots::Give() {
  const auto can_enter = [this](const Slot* slot) {
    return counts_.Enter(slot->network_);
  };
  while (true) {
    const auto next = std::ranges::find_if(waiting_, can_enter);
    if (next == waiting_.end()) return;
    Slot& slot = **next;
    waiting_.erase(next);
    slot.is_taken_ = true;
    slot.changed_.notify_one();
    // Others of its site follow all sites, and those of its network come last.
    const auto site = std::stable_partition(
        waiting_.begin(), waiting_.end(),
        [&](const Slot* other) { return other->site_ != slot.site_; });
    std::stable_partition(site, waiting_.end(), [&](const Slot* other) {
      return other->network_ != slot.network_;
    });
  }
}

void WorkSlots::Slot::GiveUp() {
  const std::lock_guard lock(slots_.mutex_);
  is_given_up_ = true;
  changed_.notify_one();
}

size_t WorkSlots::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

}  // namespace halftoned
