// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/scale/shared_work.h"

#include <algorithm>
#include <new>

namespace halftoned {

void SharedWork::Run(size_t count, const std::function<void(size_t)>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  next_ = 0;
  count_ = count;
  if (count > 1) CallHelpers(count - 1);
  Help(lock);
  done_.wait(lock, [this] { return working_ == 0; });
}

// A helper that comes late finds nothing to do, or numbers of later work.
void SharedWork::CallHelpers(size_t most) {
  const auto spare = static_cast<size_t>(std::max(queue_.SpareThreads(), 0));
  const auto help = [this] {
    std::unique_lock lock(mutex_);
    Help(lock);
    --helpers_;
  };
  try {
    while (helpers_ < std::min(most, spare) && queue_.TryPush(help)) {
      ++helpers_;
    }
  } catch (const std::bad_alloc&) {
    // Those that came will do.
  }
}

void SharedWork::Help(std::unique_lock<std::mutex>& lock) {
  ++working_;
  while (next_ < count_) {
    const size_t number = next_++;
    const std::function<void(size_t)>& work = *work_;
    lock.unlock();
    work(number);
    lock.lock();
  }
  if (--working_ == 0) done_.notify_one();
}

}  // namespace halftoned
