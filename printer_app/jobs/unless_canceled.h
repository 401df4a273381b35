// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wait that ends soon after its job is canceled.

#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace halftoned {

// Waits until is_done returns true, which is asked with the lock held, and at
// least whenever `changed` is notified. False: the job was canceled before.
// PAPPL does not report that, so is_canceled is polled.
template <typename IsDone, typename IsCanceled>
bool WaitUnlessCanceled(std::condition_variable& changed,
                        std::unique_lock<std::mutex>& lock,
                        const IsDone& is_done, const IsCanceled& is_canceled) {
  constexpr std::chrono::milliseconds kPause{50};
  while (!is_done()) {
    if (is_canceled()) return false;
    changed.wait_for(lock, kPause);
  }
  return true;
}

}  // namespace halftoned
