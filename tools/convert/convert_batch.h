// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the jobs of a command, some at a time, and tells what became of them.

#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "command/console.h"
#include "convert/convert.h"
#include "convert/manifest.h"
#include "print/file/pending_files.h"

namespace halftoned {

// What happens to programs whose reader has left: unless their parent process
// prevents it, a signal ends them, and they say nothing.
class ClosedPipe {
 public:
  ClosedPipe();

  // Whether standard output is such a pipe, and errors are not to be shown.
  bool is_silent() const;

  // Call it when no file is pending.
  static void End();

 private:
  bool ends_program_;
};

class ConvertBatch {
 public:
  // manifest: may be null. All of them outlive this.
  ConvertBatch(const std::vector<ConvertJob>& jobs,
               const ConvertSettings& settings, PendingFiles& pending,
               Console& console, bool json, Manifest* manifest,
               const ClosedPipe& pipe)
      : jobs_(jobs),
        settings_(settings),
        pending_(pending),
        console_(console),
        json_(json),
        manifest_(manifest),
        pipe_(pipe) {}

  // Runs all jobs; returns the exit status. Call it once.
  int Run();

  bool is_pipe_closed() const { return is_pipe_closed_; }

 private:
  void RunSome();
  Result<void> Tell(const ConvertJob& job, const Report& report);
  void Fail(const Error& error);

  const std::vector<ConvertJob>& jobs_;
  const ConvertSettings& settings_;
  PendingFiles& pending_;
  Console& console_;
  const bool json_;
  Manifest* const manifest_;
  const ClosedPipe& pipe_;
  std::atomic<bool> is_pipe_closed_ = false;
  std::atomic<size_t> next_ = 0;
  std::atomic<int> status_ = 0;
};

}  // namespace halftoned
