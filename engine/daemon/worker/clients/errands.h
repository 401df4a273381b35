// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that would block a loop; a separate thread does it. Users and their jobs
// take turns.

#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "halftone/run/turns.h"

namespace halftoned::daemon {

class Errands {
 public:
  Errands() = default;
  // Finishes all errands first.
  ~Errands();
  Errands(const Errands&) = delete;
  Errands& operator=(const Errands&) = delete;

  // The errands of one job are done in order, and so are a user's errands
  // without a job. `errand` throws nothing. If no thread can be started, it is
  // done before this returns.
  void Do(uint64_t job, std::function<void()> errand);

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  Turns<std::function<void()>> waiting_;
  bool is_ending_ = false;
  std::thread thread_;  // from the first errand on
};

}  // namespace halftoned::daemon
