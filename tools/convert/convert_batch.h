// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the jobs of a command, several at a time, and reports their results.

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "command/console.h"
#include "convert/convert.h"
#include "print/file/output_file.h"
#include "print/file/pending_files.h"

namespace halftoned {

// Ends this program when the reader of its output has left: by a signal and
// without a message, unless the parent process ignores SIGPIPE.
class ClosedPipe {
 public:
  ClosedPipe();

  // Whether standard output is such a pipe, so that errors are not shown.
  bool is_silent() const;

  // Call it when no file is pending.
  static void End();

 private:
  bool ends_program_;
};

// The list that --manifest writes: a line of JSON for each complete output.
// Several threads can use it.
class Manifest {
 public:
  // Errors of all functions begin with the path. `pending` outlives the list.
  static Result<Manifest> Create(const std::string& path,
                                 PendingFiles& pending);

  Result<void> Add(const ConvertJob& job, const Report& report);
  // Moves the list to its place.
  Result<void> Commit();

 private:
  Manifest(std::string path, std::unique_ptr<OutputFile> file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
};

class ConvertBatch {
 public:
  // manifest: may be null. All arguments outlive this object.
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
