// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server's log. Lines have PAPPL's format and destination. Clients can
// cause warnings, so their length and their number per minute are limited: they
// cannot crowd other lines out of the log. They can also fill the disk, so the
// size of a log file is limited; PAPPL's own way of doing that never ends if it
// cannot rename the file.

#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace halftoned {

class FrontLog {
 public:
  enum Level { kDebug, kInfo, kWarn, kError, kFatal };
  static constexpr int kMostWarnings = 100;              // per minute
  static constexpr size_t kLongest = 400;                // bytes of text
  static constexpr int64_t kLargest = int64_t{1} << 20;  // bytes of a file

  // file: a path, - for stderr, or syslog; empty: no log.
  FrontLog(std::string file, Level level)
      : file_(std::move(file)), level_(level) {}

  void Write(Level level, const std::string& text) const;
  // A warning about a password. Other warnings cannot crowd it out.
  void WriteRefusal(const std::string& text) const;

  // If the file has become too large, moves its lines to another, FILE.O, and
  // starts again. A line written meanwhile can be lost. Call it now and then,
  // from one thread.
  void Trim() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Count {
    Clock::time_point minute;  // start of the current minute
    int warnings = 0;          // in that minute
  };

  void WriteWarning(Count& count, const std::string& text) const;
  void WriteLine(Level level, const std::string& text) const;

  const std::string file_;
  const Level level_;
  mutable std::mutex mutex_;
  mutable Count warnings_, refusals_;
};

}  // namespace halftoned
