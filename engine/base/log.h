// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process that nobody watches says of itself, line by line. Where the
// lines go is the sink's matter, which is passed in.

#ifndef HALFTONED_BASE_LOG_H_
#define HALFTONED_BASE_LOG_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace halftoned {

enum class LogLevel { kError, kWarning, kInfo, kDebug };

// Whom a line is about.
struct LogSubject {
  uint32_t job = 0;               // 0: none
  std::string_view printer = {};  // empty: none
  std::optional<uint32_t> uid = {};
};

class LogSink {
 public:
  virtual ~LogSink() = default;
  // `message` is one line for a person, of any bytes.
  virtual void Write(LogLevel level, std::string_view message,
                     const LogSubject& subject) = 0;
};

// Used by one thread. The sink outlives it.
class Log {
 public:
  Log(LogSink& sink, LogLevel most) : sink_(sink), most_(most) {}

  // Lines of lower levels than this are dropped from now on.
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

#endif  // HALFTONED_BASE_LOG_H_
