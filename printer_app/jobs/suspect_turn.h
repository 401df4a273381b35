// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The turn of suspects: jobs that were printing when the program crashed. They
// print one at a time, on all printers together, so that the next crash shows
// which job is the cause. A printer that is out of paper can keep a job for
// days, so after some time a suspect no longer keeps the others waiting.

#pragma once

#include <chrono>

namespace halftoned {

class SuspectTurn {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::minutes kMost{10};

  bool IsFree(Time now) const { return !owner_ || now - begin_ >= kMost; }
  // A suspect begins, or ends, on the printer. owner: the printer, not null.
  void Begin(const void* owner, Time now) {
    owner_ = owner;
    begin_ = now;
  }
  // Does nothing if the turn is another printer's.
  void End(const void* owner) {
    if (owner_ == owner) owner_ = nullptr;
  }

 private:
  const void* owner_ = nullptr;
  Time begin_;
};

}  // namespace halftoned
