// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts work of the last minute, to the second. Used by one thread at a time.

#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "control/control.h"

namespace halftoned::daemon {

class LastMinute {
 public:
  using Clock = std::chrono::steady_clock;

  void Add(const Pace& done, Clock::time_point now) {
    const int64_t number = NumberOf(now);
    Second& second = seconds_[static_cast<size_t>(number) % seconds_.size()];
    if (second.number != number) second = {number, {}};
    second.done += done;
  }

  Pace Sum(Clock::time_point now) const {
    const int64_t oldest = NumberOf(now) - 59;
    Pace sum;
    for (const Second& second : seconds_) {
      if (second.number >= oldest) sum += second.done;
    }
    return sum;
  }

 private:
  struct Second {
    int64_t number = -1;  // none yet
    Pace done;
  };

  static int64_t NumberOf(Clock::time_point now) {
    return std::chrono::duration_cast<std::chrono::seconds>(
               now.time_since_epoch())
        .count();
  }

  std::array<Second, 60> seconds_;
};

}  // namespace halftoned::daemon
