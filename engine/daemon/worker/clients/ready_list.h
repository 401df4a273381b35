// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clients that may have an answer: added by the worker threads, read by the
// thread that serves them, which polls fd().

#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/descriptor.h"

namespace halftoned::daemon {

class ReadyList {
 public:
  static Result<Descriptor> MakeEvent() {
    Descriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (event.open()) return event;
    return ErrnoError(ErrorCode::kUnavailable, "cannot make an event");
  }

  explicit ReadyList(Descriptor event) : event_(std::move(event)) {}

  int fd() const { return event_.get(); }

  void Add(uint64_t client) {
    {
      const std::lock_guard lock(mutex_);
      clients_.push_back(client);
      if (clients_.size() > 1) return;  // a wakeup is pending
    }
    // If this wakeup is lost, none follows.
    const uint64_t one = 1;
    while (::write(event_.get(), &one, sizeof(one)) < 0 && errno == EINTR) {
    }
  }

  std::vector<uint64_t> Take() {
    uint64_t count;
    (void)!::read(event_.get(), &count, sizeof(count));
    const std::lock_guard lock(mutex_);
    return std::exchange(clients_, {});
  }

 private:
  const Descriptor event_;
  std::mutex mutex_;
  std::vector<uint64_t> clients_;
};

}  // namespace halftoned::daemon
