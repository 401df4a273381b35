// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stop request: one thread or a signal makes it once, and every wait in
// poll(2) sees it.

#pragma once

#include <atomic>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

class Stop {
 public:
  static Result<Stop> Make();
  Stop(Stop&& other) noexcept
      : event_(std::move(other.event_)), requested_(other.requested()) {}

  // Safe in a signal handler and from any thread.
  void Request() noexcept;

  bool requested() const { return requested_.load(std::memory_order_acquire); }

  // Stays readable after the first Request.
  int fd() const { return event_.get(); }

 private:
  explicit Stop(Descriptor event) : event_(std::move(event)) {}

  Descriptor event_;
  std::atomic<bool> requested_{false};
};

// From now on SIGTERM and SIGINT request `stop`, and writing to a closed pipe
// is an error, not a signal. Call it once per process; `stop` outlives every
// signal.
void StopOnSignals(Stop& stop);

}  // namespace halftoned
