// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a job keeps its printer while its client sends the next page:
// without limit if nobody else needs the printer, but only for a limited time
// if others do.

#pragma once

#include <chrono>

namespace halftoned {

class PagePatience {
 public:
  using Time = std::chrono::milliseconds;
  // A job that keeps others waiting between many pages also ends: after this
  // multiple of the limit for one page.
  static constexpr int kMostGaps = 10;

  // most: the limit for one page.
  explicit PagePatience(Time most) : most_(most) {}

  void BeginPage() { gap_ = {}; }
  // Adds time that has passed. Returns false if the others have waited long
  // enough.
  bool Wait(Time time, bool do_others_wait) {
    if (!do_others_wait) return true;
    gap_ += time;
    all_ += time;
    return gap_ < most_ && all_ < kMostGaps * most_;
  }

 private:
  const Time most_;
  Time gap_{};
  Time all_{};
};

}  // namespace halftoned
