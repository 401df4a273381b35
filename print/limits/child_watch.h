// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that checks ten times per second what a child uses, and ends the
// child if it exceeds its limits. The system's resource limits (ChildLimits)
// count per file and per process. Here all files count together, including
// deleted ones that are still open. CPU time counts from the last output that
// the thread has seen, so that long documents are allowed. The thread can miss
// a page that fits into the pipe and is read immediately. If output can be
// endless without a printed page, or a page has output many times, the total
// CPU time must be limited, too.

#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/process/child.h"

namespace halftoned {

struct WatchOrder {
  // Has the child's temporary files, and its mark (TemporaryFolder), which
  // counts, too. The child can create no directories in it.
  std::string folder;
  std::vector<int> given;  // files that it was started with, which do not count
  uint64_t disk_bytes;     // of all temporary files
  uint64_t files;          // number of temporary files at a time
  std::chrono::nanoseconds time;  // CPU time without output
  // The reading end of the pipe that takes the child's output; -1: output is
  // not seen. It may be moved, read and closed meanwhile.
  int output = -1;
  // Gets the bytes of all temporary files. Outlives the watch.
  std::atomic<uint64_t>* disk_use = nullptr;
};

class ChildWatch {
 public:
  enum class Excess { kNone, kDisk, kFiles, kTime, kTotalTime };

  // `child` outlives it.
  static Result<std::unique_ptr<ChildWatch>> Start(Child& child,
                                                   WatchOrder order);
  ~ChildWatch();
  ChildWatch(const ChildWatch&) = delete;
  ChildWatch& operator=(const ChildWatch&) = delete;

  // Limits the CPU time in total, from the child's start. Any thread may call
  // this.
  void LimitTotalTime(std::chrono::nanoseconds most) { total_time_ = most; }

  // Why it has ended the child. Any thread may ask.
  Excess excess() const { return excess_; }
  std::chrono::nanoseconds total_time() const { return total_time_; }

 private:
  using FileId = std::pair<dev_t, ino_t>;
  struct Use {
    uint64_t disk_bytes = 0;
    uint64_t files = 0;
  };

  ChildWatch(Child& child, WatchOrder order, Descriptor events, Descriptor end);
  void Work();
  // Waits for the next check. False at the end of the watch.
  bool Wait();
  void AwaitOutput(int operation) const;
  Excess Look();
  Excess LookAtTime();
  void AddFolder(Use& use) const;
  void AddDeleted(Use& use) const;

  Child& child_;
  const WatchOrder order_;
  std::vector<FileId> given_;
  const Descriptor events_;
  const Descriptor end_;
  bool has_output_ = true;  // since the last look
  std::chrono::nanoseconds at_output_{};
  std::atomic<std::chrono::nanoseconds> total_time_ =
      std::chrono::nanoseconds::max();
  std::atomic<Excess> excess_ = Excess::kNone;
  std::thread thread_;
};

}  // namespace halftoned
