// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the log lines that users can cause: at most kLines per user and window
// of time. The number of omitted lines is logged afterwards. Debug lines are
// not limited.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string_view>

#include "base/log.h"
#include "daemon/clock.h"

namespace halftoned::daemon {

class LimitedSink : public LogSink {
 public:
  static constexpr uint64_t kLines = 50;
  static constexpr Duration kWindow = std::chrono::seconds(10);

  // `sink` outlives it.
  explicit LimitedSink(LogSink& sink, std::function<Instant()> now = Clock::now)
      : sink_(sink), now_(std::move(now)) {}
  ~LimitedSink() override { Report(kNever); }

  void Write(LogLevel level, std::string_view message,
             const LogSubject& subject) override;

 private:
  struct Window {
    Instant end;
    uint64_t lines = 0;
  };

  // Closes the windows that have ended.
  void Report(Instant now);

  LogSink& sink_;
  const std::function<Instant()> now_;
  std::map<uint32_t, Window> windows_;  // by user
};

}  // namespace halftoned::daemon
