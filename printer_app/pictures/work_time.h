// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU time that a thread uses for some work. Time in which it waits for
// memory, disks or printers does not count.

#pragma once

#include <chrono>

namespace halftoned {

// Used by one thread.
class WorkTime {
 public:
  explicit WorkTime(std::chrono::nanoseconds most) : most_(most) {}

  // The thread works from Begin to End.
  void Begin();
  void End();

  // Whether the thread has worked longer than `most`.
  bool IsOver() const;

 private:
  std::chrono::nanoseconds most_;
  std::chrono::nanoseconds used_{};
  std::chrono::nanoseconds begin_{};  // of the work that has not ended
  bool is_working_ = false;
};

}  // namespace halftoned
