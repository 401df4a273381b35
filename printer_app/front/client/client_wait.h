// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a client may keep the server waiting, and whether its connection can
// be dropped for others. Nothing is done for a request of a dropped connection,
// so its client can repeat it.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "base/descriptor.h"

namespace halftoned {

class ClientWait {
 public:
  using Clock = std::chrono::steady_clock;

  // timeout: seconds of silence.
  ClientWait(int connection, int timeout);

  // For other threads, at any time.
  bool IsOverdue(Clock::time_point now) const;
  void Drop() const;
  // When the server began to wait for a request, or for its answer to be read.
  // Nothing: it works for the client, or has just answered.
  std::optional<Clock::time_point> WaitsSince(Clock::time_point now) const;
  // False: it does not wait any more.
  bool DropIfItWaits(Clock::time_point now);

  // For the thread of the connection: when it becomes overdue.
  void WaitFor(int seconds);
  void WaitForEver() { deadline_ = INT64_MAX; }
  void WaitForSilence() { WaitFor(timeout_); }

  // The same for what it waits for. False: the connection is dropped.
  bool BeginRequest();
  // The request is complete, at least a part of it that can be printed.
  bool StartWork();
  // More of it comes.
  void WaitForMore() { EndWork(request_since_); }
  // The client has a while to read, then it can be dropped.
  void StartAnswer();

 protected:
  int timeout() const { return timeout_; }

 private:
  static constexpr int64_t kWorks = INT64_MAX;
  static constexpr int64_t kDropped = INT64_MIN;

  void EndWork(int64_t since);

  const Descriptor connection_;  // of its own, as the other one is closed
  const int timeout_;
  std::atomic<int64_t> deadline_ = INT64_MAX;
  std::atomic<int64_t> since_ = kWorks;  // as of Clock
  int64_t request_since_ = 0;
};

}  // namespace halftoned
