// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of finished columns of a strip, for the strip below it. This is
// the only hand-off between threads that work on the same page. The thread of
// the strip writes it, that of the next strip reads it.
//
// Publish releases all earlier writes, WaitFor acquires them. A waiter spins
// for about as long as a strip of a wide page takes: the strip above is usually
// a little ahead at the same speed, and a wakeup takes as long. Then it sleeps
// until the strip above has a lead again, so that one pause costs one wakeup
// and not one for each further block of columns.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

namespace halftoned {

class StripProgress {
 public:
  static constexpr int32_t kAll = std::numeric_limits<int32_t>::max();

  StripProgress() = default;
  // Publish calls `reached` once, when this many columns are finished.
  StripProgress(int32_t columns, std::function<void()> reached)
      : reached_at_(columns), reached_(std::move(reached)) {}

  // The last columns are kAll.
  void Publish(int32_t columns) {
    // Either this thread sees wanted_, or the waiter sees columns_.
    columns_.store(columns);
    if (columns >= wanted_.load()) columns_.notify_one();
    if (columns >= reached_at_ && reached_) std::exchange(reached_, {})();
  }

  bool IsOver() const {
    return columns_.load(std::memory_order_acquire) == kAll;
  }

  // Waits until `columns` columns are finished; returns the number finished.
  // Called by one thread at a time.
  int32_t WaitFor(int32_t columns) const {
    int32_t now = columns_.load(std::memory_order_acquire);
    for (int spins = 0; now < columns && spins < kSpins; ++spins) {
      now = columns_.load(std::memory_order_acquire);
    }
    if (now >= columns) return now;
    wanted_.store(columns > kAll - kLead ? kAll : columns + kLead);
    while ((now = columns_.load()) < columns) columns_.wait(now);
    wanted_.store(kNone);
    return now;
  }

 private:
  static constexpr int kSpins = 20'000;
  static constexpr int32_t kLead = 512;
  static constexpr int32_t kNone =
      kAll;  // a spare notify at the end is harmless

  std::atomic<int32_t> columns_ = 0;
  mutable std::atomic<int32_t> wanted_ = kNone;
  // These belong to the publishing thread.
  int32_t reached_at_ = kAll;
  std::function<void()> reached_;
};

}  // namespace halftoned
