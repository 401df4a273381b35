// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a strip has come, for the strip below it: the one hand-off between
// threads that work on the same page. Written by the thread of the strip,
// read by that of the next.
//
// Publish releases all that was written before it, WaitFor acquires it. Who
// waits spins for a moment, since the strip above is usually a little ahead
// at the same speed, and then sleeps.

#ifndef HALFTONED_HALFTONE_PROGRESS_H_
#define HALFTONED_HALFTONE_PROGRESS_H_

#include <atomic>
#include <cstdint>
#include <limits>

namespace halftoned {

class Progress {
 public:
  static constexpr int32_t kAll = std::numeric_limits<int32_t>::max();

  void Publish(int32_t columns) {
    columns_.store(columns, std::memory_order_release);
    columns_.notify_all();
  }

  // Waits until `columns` columns are finished; returns how many are.
  int32_t WaitFor(int32_t columns) const {
    int32_t now = columns_.load(std::memory_order_acquire);
    for (int spins = 0; now < columns && spins < kSpins; ++spins) {
      now = columns_.load(std::memory_order_acquire);
    }
    while (now < columns) {
      columns_.wait(now, std::memory_order_acquire);
      now = columns_.load(std::memory_order_acquire);
    }
    return now;
  }

 private:
  static constexpr int kSpins = 1000;  // about as long as a block of columns

  std::atomic<int32_t> columns_ = 0;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_PROGRESS_H_
