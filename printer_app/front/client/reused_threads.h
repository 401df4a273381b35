// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that run one task after another. GnuTLS keeps memory for each thread
// that has used TLS, even when the thread has ended.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace halftoned {

class ReusedThreads {
 public:
  ReusedThreads() = default;
  // Waits for all tasks.
  ~ReusedThreads();
  // False if no thread can start.
  bool Run(std::function<void()> task);

 private:
  bool Start(std::function<void()> task);
  void Work(std::function<void()> task);
  // Empty: there was nothing to do for a long time, or the threads must end.
  std::function<void()> Next();

  std::mutex mutex_;
  std::condition_variable changed_, ended_;
  std::deque<std::function<void()>> tasks_;  // for threads that were idle
  size_t threads_ = 0;
  size_t idle_ = 0;  // threads without a task
  bool is_ending_ = false;
};

}  // namespace halftoned
