// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptors that one turn of the loop polls. Built anew each turn: each
// part adds its descriptors, and afterwards asks which are ready. All
// descriptors are non-blocking, so a stale answer does no harm.

#pragma once

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "daemon/clock.h"

namespace halftoned::daemon {

// Connections that a listener accepts in one turn.
inline constexpr int kAcceptsPerTurn = 64;

class PollSet {
 public:
  void Watch(int fd, short events = POLLIN) {
    waits_.push_back({fd, events, 0});
  }
  // Ends the wait no later than `when`.
  void WakeAt(Instant when) { until_ = std::min(until_, when); }

  Result<void> Wait() {
    int timeout_ms = -1;
    if (until_ != kNever) {
      constexpr Duration kLongest = std::chrono::hours(1);
      const Duration left =
          std::clamp(until_ - Clock::now(), Duration::zero(), kLongest);
      timeout_ms = static_cast<int>(
          std::chrono::ceil<std::chrono::milliseconds>(left).count());
    }
    if (::poll(waits_.data(), waits_.size(), timeout_ms) < 0) {
      if (errno != EINTR) return ErrnoError(ErrorCode::kIo, "cannot wait");
      for (pollfd& wait : waits_) wait.revents = 0;
    }
    return {};
  }

  // Whether an awaited event has occurred, or the other end has closed.
  bool IsReady(int fd) const {
    return std::ranges::any_of(waits_, [fd](const pollfd& wait) {
      return wait.fd == fd && wait.revents != 0;
    });
  }

 private:
  std::vector<pollfd> waits_;
  Instant until_ = kNever;
};

}  // namespace halftoned::daemon
