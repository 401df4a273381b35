// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server's log. Lines have PAPPL's form, and go where it logs. Clients can
// cause warnings, so each is short, and there are few in a minute: they do not
// drive other lines out of the log.

#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <utility>

namespace halftoned {

class FrontLog {
 public:
  enum Level { kDebug, kInfo, kWarn, kError, kFatal };
  static constexpr int kMostWarnings = 100;  // in a minute
  static constexpr size_t kLongest = 400;    // bytes

  // file: a path, - for stderr, or syslog; empty: no log.
  FrontLog(std::string file, Level level)
      : file_(std::move(file)), level_(level) {}

  void Write(Level level, const std::string& text) const;

 private:
  using Clock = std::chrono::steady_clock;

  // Whether one more is too many. The first such one is `first`.
  bool IsTooMany(bool& first) const;
  void WriteLine(Level level, const std::string& text) const;

  const std::string file_;
  const Level level_;
  mutable std::mutex mutex_;
  mutable Clock::time_point minute_;  // when it began
  mutable int warnings_ = 0;          // in it
};

}  // namespace halftoned
