// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/front_log.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <span>
#include <vector>

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

// Replaces the file at `path`. False, with errno, if that cannot be done.
bool CopyTo(const std::string& path, const Descriptor& from, int64_t bytes) {
  unlink(path.c_str());
  const Descriptor to(open(path.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           0600));
  if (!to.open()) return false;
  off_t at = 0;
  while (at < bytes) {
    const ssize_t moved =
        sendfile(to.get(), from.get(), &at, static_cast<size_t>(bytes - at));
    if (moved <= 0) return false;
  }
  return true;
}

}  // namespace

void FrontLog::Write(Level level, const std::string& text,
                     const LogLimit::Client& client, Kind kind) const {
  if (level < level_ || file_.empty()) return;
  if (level != kDebug && level != kFatal) {
    const auto now = now_();
    Report(now);
    const std::lock_guard lock(mutex_);
    if (!limits_[kind][level - kInfo].Take(client, now)) return;
  }
  WriteLine(level, Printable(text, kLongest));
}

void FrontLog::Report(Clock::time_point now) const {
  std::vector<std::pair<Level, std::string>> reports;
  {
    const std::lock_guard lock(mutex_);
    for (Limits& limits : limits_) {
      for (const Level level : {kInfo, kWarn, kError}) {
        std::string report = limits[level - kInfo].TakeReport(now);
        if (!report.empty()) reports.emplace_back(level, std::move(report));
      }
    }
  }
  for (const auto& [level, text] : reports) {
    WriteLine(level, Printable(text, kLongest));
  }
}

void FrontLog::Trim() const {
  if (file_.empty() || file_ == "-" || file_ == "syslog") return;
  const Descriptor file(
      open(file_.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  if (!file.open() || fstat(file.get(), &status) != 0 ||
      !S_ISREG(status.st_mode) || status.st_size < kLargest) {
    return;
  }
  const std::string kept = file_ + ".O";
  const bool is_kept = CopyTo(kept, file, status.st_size);
  const std::string why = std::strerror(errno);
  if (ftruncate(file.get(), 0) == 0 && !is_kept) {
    WriteLine(kWarn, "Earlier lines are lost: " + kept + ": " + why + '.');
  }
}

void FrontLog::WriteLine(Level level, const std::string& text) const {
  if (file_ == "syslog") return syslog(kPriorities[level], "%s", text.c_str());
  const std::string line = LineOf(level, text);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(line));
  if (file_ == "-") {
    (void)WriteFully(STDERR_FILENO, bytes).ok();
    return;
  }
  // Opens the file for each line, because logrotate(8) may rename it.
  const Descriptor file(
      open(file_.c_str(),
           O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.open()) (void)WriteFully(file.get(), bytes).ok();
}

}  // namespace halftoned
