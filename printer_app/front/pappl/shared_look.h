// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks that take memory and time, such as at all waiting jobs: one at a time,
// and one for all who wait for it, so refused requests cannot start many.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

namespace halftoned {

class SharedLook {
 public:
  // Returns after a look that began after the call; it may be another thread's.
  void Do(const std::function<void()>& look) {
    const uint64_t begun = begun_;
    ++waiting_;
    const std::lock_guard lock(mutex_);
    --waiting_;
    if (ended_ > begun) return;
    const uint64_t number = ++begun_;
    look();
    ended_ = number;
  }

  // Threads that wait for another's look.
  int waiting() const { return waiting_; }

 private:
  std::mutex mutex_;
  std::atomic<uint64_t> begun_ = 0;
  uint64_t ended_ = 0;  // the number of the last one
  std::atomic<int> waiting_ = 0;
};

}  // namespace halftoned
