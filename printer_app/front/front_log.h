// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server's log. Lines have PAPPL's format and destination. Clients can
// cause lines, so their length and their number per minute are limited: they
// cannot crowd other lines out of the log, or out of the journal, which omits
// all lines of a service that writes too many (journald.conf(5)). They can also
// fill the disk, so the size of a log file is limited; PAPPL's own way of doing
// that never ends if it cannot rename the file.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "printer_app/front/log_limit.h"
#include "printer_app/front/rules/caller.h"

namespace halftoned {

class FrontLog {
 public:
  using Clock = LogLimit::Clock;
  enum Level { kDebug, kInfo, kWarn, kError, kFatal };
  static constexpr size_t kLongest = 400;                // bytes of text
  static constexpr int64_t kLargest = int64_t{1} << 20;  // bytes of a file

  // Each kind has limits of its own at each level, so lines of one kind or
  // level cannot crowd out others. Levels kDebug and kFatal have no limit.
  enum Kind {
    kUsual,
    kKept,     // a printer was added or changed, or a job has ended
    kRefusal,  // of a password or a right
  };
  static constexpr LogLimit::Most kMostUsual = {100, 300};
  static constexpr LogLimit::Most kMostKept = {300, 1000};

  // file: a path, - for stderr, or syslog; empty: no log.
  FrontLog(std::string file, Level level,
           std::function<Clock::time_point()> now = Clock::now)
      : file_(std::move(file)), level_(level), now_(std::move(now)) {}

  // client: the user, address or activity that causes the line.
  void Write(Level level, const std::string& text,
             const LogLimit::Client& client = {}, Kind kind = kUsual) const;
  void Write(Level level, const std::string& text, const Caller& caller,
             Kind kind = kUsual) const {
    Write(level, text, LogLimit::Client{caller.network, caller.is_local}, kind);
  }

  // Writes how many lines were omitted in minutes that have ended. Call it now
  // and then.
  void Report() const { Report(now_()); }
  // The same for the current minute: the server ends.
  void ReportAll() const { Report(Clock::time_point::max()); }

  // If the file has become too large, moves its lines to another, FILE.O, and
  // starts again. A line written meanwhile can be lost. Call it now and then,
  // from one thread.
  void Trim() const;

 private:
  using Limits = std::array<LogLimit, 3>;  // from kInfo to kError

  void Report(Clock::time_point now) const;
  void WriteLine(Level level, const std::string& text) const;

  static Limits LimitsOf(LogLimit::Most most) {
    return {LogLimit(most), LogLimit(most), LogLimit(most)};
  }

  const std::string file_;
  const Level level_;
  const std::function<Clock::time_point()> now_;
  mutable std::mutex mutex_;
  mutable std::array<Limits, 3> limits_ = {
      LimitsOf(kMostUsual), LimitsOf(kMostKept), LimitsOf(kMostUsual)};
};

}  // namespace halftoned
