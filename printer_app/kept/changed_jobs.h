// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The jobs that have changed since they were saved. Does not use PAPPL.

#pragma once

#include <mutex>
#include <optional>
#include <set>

#include "printer_app/kept/spool.h"

namespace halftoned {

class ChangedJobs {
 public:
  void Add(JobNumber number) {
    const std::lock_guard lock(mutex_);
    later_.insert(number);
  }

  // Removes a job, if there is one. A job that is added again and again does
  // not delay the others.
  std::optional<JobNumber> TakeNext() {
    const std::lock_guard lock(mutex_);
    if (now_.empty()) now_.swap(later_);
    if (now_.empty()) return std::nullopt;
    return now_.extract(now_.begin()).value();
  }

  bool empty() const {
    const std::lock_guard lock(mutex_);
    return now_.empty() && later_.empty();
  }

 private:
  mutable std::mutex mutex_;
  std::set<JobNumber> now_, later_;
};

}  // namespace halftoned
