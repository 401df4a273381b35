// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pause before a restart of something that died. It doubles each time,
// until the thing has worked for a while. No clock of its own.

#pragma once

#include <algorithm>
#include <utility>

#include "daemon/clock.h"

namespace halftoned::daemon {

class Backoff {
 public:
  static constexpr Duration kLeast = std::chrono::milliseconds(100);
  static constexpr Duration kMost = std::chrono::seconds(10);
  static constexpr Duration kHealthy = std::chrono::minutes(1);

  // Call when it has died after working for `worked`.
  Duration OnDeath(Duration worked) {
    if (worked >= kHealthy) next_ = kLeast;
    return std::exchange(next_, std::min(2 * next_, kMost));
  }

 private:
  Duration next_ = kLeast;
};

}  // namespace halftoned::daemon
