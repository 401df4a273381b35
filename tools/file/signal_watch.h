// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens when the process is told to end (SIGINT, SIGTERM, SIGHUP): a
// thread that waits for nothing else deletes the pending files and lets the
// signal do what it does by default. So it works at once, whatever the other
// threads wait for, and the parent sees which signal it was.

#ifndef HALFTONED_TOOLS_FILE_SIGNAL_WATCH_H_
#define HALFTONED_TOOLS_FILE_SIGNAL_WATCH_H_

#include <atomic>
#include <csignal>
#include <thread>

#include "file/pending_files.h"

namespace halftoned {

// Made before any other thread is started, since it blocks the signals for
// those too. Also has writing into a closed pipe, or beyond the size that a
// file may have, give an error instead of a signal. Destroying it gives the
// signals their old ways back.
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

#endif  // HALFTONED_TOOLS_FILE_SIGNAL_WATCH_H_
