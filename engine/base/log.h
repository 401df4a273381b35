// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Log lines of a background process. The caller passes in the sink that writes
// them.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace halftoned {

enum class LogLevel { kError, kWarning, kInfo, kDebug };

// What a line is about.
struct LogSubject {
  uint32_t job = 0;               // 0: none
  std::string_view printer = {};  // empty: none
  std::optional<uint32_t> uid = {};
};

class LogSink {
 public:
  virtual ~LogSink() = default;
  // `message`: one line of text, possibly with arbitrary bytes.
  virtual void Write(LogLevel level, std::string_view message,
                     const LogSubject& subject) = 0;
};

// Used by one thread. The sink outlives it.
class Log {
 public:
  Log(LogSink& sink, LogLevel most) : sink_(sink), most_(most) {}

  // From now on drops lines below this level.
  void SetLevel(LogLevel most) { most_ = most; }

  void Error(std::string_view message, const LogSubject& subject = {}) {
    Write(LogLevel::kError, message, subject);
  }
  void Warning(std::string_view message, const LogSubject& subject = {}) {
    Write(LogLevel::kWarning, message, subject);
  }
  void Info(std::string_view message, const LogSubject& subject = {}) {
    Write(LogLevel::kInfo, message, subject);
  }
  void Debug(std::string_view message, const LogSubject& subject = {}) {
    Write(LogLevel::kDebug, message, subject);
  }

 private:
  void Write(LogLevel level, std::string_view message,
             const LogSubject& subject) {
    if (level <= most_) sink_.Write(level, message, subject);
  }

  LogSink& sink_;
  LogLevel most_;
};

}  // namespace halftoned
