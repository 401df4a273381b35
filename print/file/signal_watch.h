// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles SIGINT, SIGTERM and SIGHUP: a thread that waits for nothing else
// deletes the pending files, and then raises the signal with its default
// action. So a signal acts immediately even if all other threads wait, and the
// parent process sees it.

#pragma once

#include <atomic>
#include <csignal>
#include <thread>

#include "print/file/pending_files.h"

namespace halftoned {

// Must be created before any other thread, since threads inherit the blocked
// signals. It also makes writing to a closed pipe, or beyond the limit of a
// file's size, an error instead of a signal. The destructor restores the
// signals.
class SignalWatch {
 public:
  explicit SignalWatch(PendingFiles& pending);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  void Wait();

  PendingFiles& pending_;
  sigset_t signals_;
  sigset_t old_mask_;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

}  // namespace halftoned
