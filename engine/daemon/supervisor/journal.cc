// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/journal.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <syslog.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

#include "base/descriptor.h"
#include "base/text.h"

namespace halftoned::daemon {
namespace {

constexpr size_t kMaxMessageBytes = 1024;

struct LevelWords {
  const char* name;
  int priority;
};

LevelWords WordsOf(LogLevel level) {
  switch (level) {
    case LogLevel::kError:
      return {"error", LOG_ERR};
    case LogLevel::kWarning:
      return {"warning", LOG_WARNING};
    case LogLevel::kInfo:
      return {"info", LOG_INFO};
    case LogLevel::kDebug:
      break;
  }
  return {"debug", LOG_DEBUG};
}

class JournalSink : public LogSink {
 public:
  void Write(LogLevel level, std::string_view message,
             const LogSubject& subject) override {
    std::vector<std::string> fields = JournalFields(level, message, subject);
    std::vector<iovec> parts;
    for (std::string& field : fields) {
      parts.push_back({field.data(), field.size()});
    }
    ::sd_journal_sendv(parts.data(), static_cast<int>(parts.size()));
  }
};

class LineSink : public LogSink {
 public:
  void Write(LogLevel level, std::string_view message,
             const LogSubject& subject) override {
    // A reader that has stopped reading must not block the daemon: a pipe that
    // polls as writable has room for PIPE_BUF bytes, and two lines are shorter.
    pollfd wait{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&wait, 1, 0) == 0) {
      ++lost_;
      return;
    }
    std::string lines;
    if (lost_ > 0) {
      lines = LogLine(LogLevel::kWarning,
                      std::to_string(lost_) + " log lines were dropped", {});
      lost_ = 0;
    }
    lines += LogLine(level, message, subject);
    // An error here cannot be reported anywhere.
    (void)WriteFully(STDERR_FILENO, std::as_bytes(std::span(lines)));
  }

 private:
  uint64_t lost_ = 0;  // lines since the last one that was written
};

// systemd passes the journal's device and inode.
bool IsStderrTheJournal() {
  const char* stream = std::getenv("JOURNAL_STREAM");
  struct stat status;
  if (!stream || ::fstat(STDERR_FILENO, &status) != 0) return false;
  return stream ==
         std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

}  // namespace

std::vector<std::string> JournalFields(LogLevel level, std::string_view message,
                                       const LogSubject& subject) {
  std::vector<std::string> fields = {
      "MESSAGE=" + Printable(message, kMaxMessageBytes),
      "PRIORITY=" + std::to_string(WordsOf(level).priority),
      "SYSLOG_IDENTIFIER=halftoned"};
  if (subject.job != 0) {
    fields.push_back("HALFTONED_JOB=" + std::to_string(subject.job));
  }
  if (!subject.printer.empty()) {
    fields.push_back("HALFTONED_PRINTER=" + Printable(subject.printer));
  }
  if (subject.uid) {
    fields.push_back("HALFTONED_UID=" + std::to_string(*subject.uid));
  }
  return fields;
}

std::string LogLine(LogLevel level, std::string_view message,
                    const LogSubject& subject) {
  std::string line = std::string("halftoned: ") + WordsOf(level).name + ": " +
                     Printable(message, kMaxMessageBytes);
  if (subject.job != 0) line += ", job " + std::to_string(subject.job);
  if (!subject.printer.empty()) {
    line += ", printer " + Printable(subject.printer);
  }
  if (subject.uid) line += ", uid " + std::to_string(*subject.uid);
  return line + "\n";
}

std::unique_ptr<LogSink> MakeLogSink() {
  if (IsStderrTheJournal()) return std::make_unique<JournalSink>();
  return std::make_unique<LineSink>();
}

}  // namespace halftoned::daemon
