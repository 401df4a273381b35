// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/work_slots.h"

namespace halftoned {

bool WorkSlots::Slot::Take(const std::string& network) {
  std::unique_lock lock(slots_.mutex_);
  if (is_taken_) return true;
  network_ = network;
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
  slots_.waiting_.remove_if([this](Slot* next) {
    if (!slots_.counts_.Enter(next->network_)) return false;
    next->is_taken_ = true;
    next->changed_.notify_one();
    return true;
  });
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
