// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the pages that wait in all queues of a process. Each queue may
// have an equal part of it, and always one item, so no queue waits for another
// one to be emptied.

#pragma once

#include <cstddef>
#include <mutex>

namespace halftoned {

class PageMemory {
 public:
  // work: bytes of each queue's part that its threads need for other things.
  explicit PageMemory(size_t bytes, size_t work = 0)
      : bytes_(bytes), work_(work) {}
  PageMemory(const PageMemory&) = delete;
  PageMemory& operator=(const PageMemory&) = delete;

  // A queue's part. Its functions must not be called concurrently.
  class Part {
   public:
    // `all` outlives it. most: bytes that it may have even if no other queue
    // needs any.
    Part(PageMemory& all, size_t most);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    // False: there is not enough memory until some of this part is returned.
    bool TryTake(size_t bytes);
    // bytes: taken before.
    void Return(size_t bytes);
    void ReturnAll() { Return(used_); }

   private:
    PageMemory& all_;
    const size_t most_;
    size_t used_ = 0;
  };

 private:
  const size_t bytes_;
  const size_t work_;
  std::mutex mutex_;
  size_t used_ = 0;  // by parts, and by the work for each
  size_t parts_ = 0;
};

}  // namespace halftoned
