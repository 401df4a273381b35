// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a strip has come, for the strip below it: the one hand-off between
// threads that work on the same page. Written by the thread of the strip,
// read by that of the next.
//
// Publish releases all that was written before it, WaitFor acquires it. Who
// waits spins for about as long as a strip of a wide page takes, since the
// strip above is usually a little ahead at the same speed and to be woken takes
// as long; then it sleeps, and is woken when there is what it waits for.

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
    // Either this sees what is wanted, or who wants it sees the columns.
    columns_.store(columns);
    if (columns >= wanted_.load()) columns_.notify_one();
  }

  // Waits until `columns` columns are finished; returns how many are. Called by
  // one thread at a time.
  int32_t WaitFor(int32_t columns) const {
    int32_t now = columns_.load(std::memory_order_acquire);
    for (int spins = 0; now < columns && spins < kSpins; ++spins) {
      now = columns_.load(std::memory_order_acquire);
    }
    if (now >= columns) return now;
    wanted_.store(columns);
    while ((now = columns_.load()) < columns) columns_.wait(now);
    wanted_.store(kNone);
    return now;
  }

 private:
  static constexpr int kSpins = 20'000;
  static constexpr int32_t kNone = kAll;  // whoever publishes all may notify

  std::atomic<int32_t> columns_ = 0;
  mutable std::atomic<int32_t> wanted_ = kNone;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_PROGRESS_H_
