// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines that PAPPL itself logs. Clients can cause any number of them, and
// PAPPL has no limit, so it writes to a pipe. The front end logs these lines
// within the limits of FrontLog.

#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "printer_app/front/front_log.h"

namespace halftoned {

class PapplLog {
 public:
  using Clock = FrontLog::Clock;

  // pipe: its path. file, level: as FrontLog has them.
  PapplLog(std::string pipe, std::string file, FrontLog::Level level,
           std::function<Clock::time_point()> now = Clock::now)
      : path_(std::move(pipe)), log_(std::move(file), level, std::move(now)) {}

  // Creates the pipe. Call it before PAPPL starts.
  Result<void> Open();
  // Logs the lines as they come, until the process ends.
  [[noreturn]] void Run();
  // Logs the lines that have come. Thread-safe.
  void Take();
  // The same, and how many lines were omitted: the server ends.
  void End();

 private:
  void WriteLine(std::string_view line) const;

  const std::string path_;
  const FrontLog log_;
  Descriptor pipe_;
  std::mutex mutex_;
  std::string rest_;  // the start of a line
};

}  // namespace halftoned
