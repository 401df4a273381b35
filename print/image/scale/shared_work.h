// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A piece of work that is done once for each of many numbers, by the thread
// that wants it and by threads of a pool that have nothing else to do.

#ifndef HALFTONED_PRINT_IMAGE_SCALE_SHARED_WORK_H_
#define HALFTONED_PRINT_IMAGE_SCALE_SHARED_WORK_H_

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

#include "halftone/run/pool.h"

namespace halftoned {

// Used by one thread at a time.
class SharedWork {
 public:
  // `pool` outlives this.
  explicit SharedWork(Pool& pool) : queue_(pool) {}

  // Calls work(0) … work(count - 1), in any order and several at a time, and
  // returns when all are done. `work` does not throw.
  void Run(size_t count, const std::function<void(size_t)>& work);

 private:
  void CallHelpers(size_t most);
  void Help(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable done_;
  const std::function<void(size_t)>* work_ = nullptr;
  size_t next_ = 0;
  size_t count_ = 0;
  size_t working_ = 0;  // threads
  size_t helpers_ = 0;  // tasks that have not ended
  // Destroyed first: waits for the running tasks.
  Pool::Queue queue_;
};

}  // namespace halftoned

#endif  // HALFTONED_PRINT_IMAGE_SCALE_SHARED_WORK_H_
