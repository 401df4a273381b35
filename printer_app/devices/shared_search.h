// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search that takes seconds. All callers during the search, and soon after
// it, get the same result. So a page that searches costs no more if a browser
// is made to load it again and again.

#pragma once

#include <chrono>
#include <functional>
#include <mutex>

namespace halftoned {

template <typename Found>
class SharedSearch {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kMostOfAge{5};

  // Any thread may call it. now: the time.
  Found Get(const std::function<Found()>& search,
            const std::function<Clock::time_point()>& now = Clock::now) {
    const std::lock_guard lock(mutex_);
    if (!has_found_ || now() - end_ > kMostOfAge) {
      found_ = search();
      has_found_ = true;
      end_ = now();
    }
    return found_;
  }

 private:
  std::mutex mutex_;
  bool has_found_ = false;
  Clock::time_point end_;
  Found found_;
};

}  // namespace halftoned
