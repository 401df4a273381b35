// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/front_log.h"

#include <fcntl.h>
#include <syslog.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <span>

#include "base/descriptor.h"
#include "base/text.h"

namespace halftoned {
namespace {

constexpr char kLetters[] = "DIWEF";
constexpr int kPriorities[] = {LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERR,
                               LOG_CRIT};

std::string LineOf(FrontLog::Level level, const std::string& text) {
  using std::chrono::milliseconds;
  const auto now = std::chrono::duration_cast<milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  const time_t seconds = now.count() / 1000;
  tm parts;
  gmtime_r(&seconds, &parts);
  char start[64];
  const size_t size =
      std::strftime(start, sizeof(start), " [%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(start + size, sizeof(start) - size, ".%03dZ] ",
                static_cast<int>(now.count() % 1000));
  return kLetters[level] + std::string(start) + text + '\n';
}

}  // namespace

void FrontLog::Write(Level level, const std::string& text) const {
  if (level < level_ || file_.empty()) return;
  bool is_first = false;
  if (level == kWarn && IsTooMany(is_first)) {
    if (is_first) {
      WriteLine(level, "Further warnings of this minute are left out.");
    }
    return;
  }
  WriteLine(level, Printable(text, kLongest));
}

bool FrontLog::IsTooMany(bool& first) const {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (now - minute_ >= std::chrono::minutes(1)) {
    minute_ = now;
    warnings_ = 0;
  }
  first = warnings_++ == kMostWarnings;
  return warnings_ > kMostWarnings;
}

void FrontLog::WriteLine(Level level, const std::string& text) const {
  if (file_ == "syslog") return syslog(kPriorities[level], "%s", text.c_str());
  const std::string line = LineOf(level, text);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(line));
  if (file_ == "-") {
    (void)WriteFully(STDERR_FILENO, bytes).ok();
    return;
  }
  // Opens the file for each line, because PAPPL renames it once it is large.
  const Descriptor file(
      open(file_.c_str(),
           O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.open()) (void)WriteFully(file.get(), bytes).ok();
}

}  // namespace halftoned
