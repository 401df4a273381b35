// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/work_time.h"

#include <ctime>

namespace halftoned {
namespace {

std::chrono::nanoseconds TimeOfThread() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

void WorkTime::Begin() {
  begin_ = TimeOfThread();
  is_working_ = true;
}

void WorkTime::End() {
  used_ += TimeOfThread() - begin_;
  is_working_ = false;
}

bool WorkTime::IsOver() const {
  return used_ + (is_working_ ? TimeOfThread() - begin_
                              : std::chrono::nanoseconds{}) >
         most_;
}

}  // namespace halftoned
