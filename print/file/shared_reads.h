// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large reads of a regular file, shared between threads: one core copies only a
// few gigabytes per second from the page cache, and a page of gigapixels spends
// most of its time on that. The file is read, not mapped, so if it is truncated
// meanwhile, the result is an error and not SIGBUS.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "base/result.h"
#include "halftone/run/pool.h"

namespace halftoned {

// Used by one thread at a time. Idle threads of the pool help; if there are
// none, the caller reads alone.
class SharedReads {
 public:
  // Smaller reads end before a helper is awake.
  static constexpr size_t kBytesWorthSharing = size_t{1} << 20;

  // `pool` outlives this.
  explicit SharedReads(Pool& pool) : queue_(pool) {}

  // Fills `room` from `offset` on; kBadInput if the file ends first. The error
  // is the one that reading in order would meet first.
  Result<void> Read(int fd, int64_t offset, std::span<std::byte> room);

 private:
  struct Part {
    int fd;
    int64_t offset;
    std::span<std::byte> room;
  };

  void CallHelpers();
  void ReadParts(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable done_;
  Part left_{};                 // parts that have not begun
  int reading_ = 0;             // threads that read a part
  size_t helpers_ = 0;          // tasks that have not ended
  std::optional<Error> error_;  // of the first part that failed
  int64_t error_offset_ = 0;
  // Destroyed first: waits for the running tasks.
  Pool::Queue queue_;
};

}  // namespace halftoned
