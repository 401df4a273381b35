// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/clients/errands.h"

#include <system_error>
#include <utility>

namespace halftoned::daemon {

Errands::~Errands() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Errands::Do(uint64_t job, std::function<void()> errand) {
  {
    const std::lock_guard lock(mutex_);
    try {
      if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
      waiting_.Add(job, errand);
      errand = nullptr;
    } catch (const std::system_error&) {
      // The errand is done below.
    }
  }
  if (errand) return errand();
  changed_.notify_one();
}

void Errands::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::function<void()> errand = std::move(waiting_.Next());
    waiting_.Drop();
    lock.unlock();
    errand();
    errand = nullptr;  // destroys what it owns
    lock.lock();
  }
}

}  // namespace halftoned::daemon
