// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/limited_sink.h"

#include <string>

namespace halftoned::daemon {

void LimitedSink::Write(LogLevel level, std::string_view message,
                        const LogSubject& subject) {
  const Instant now = now_();
  Report(now);
  if (subject.uid && level != LogLevel::kDebug) {
    Window& window =
        windows_.try_emplace(*subject.uid, Window{now + kWindow}).first->second;
    if (++window.lines > kLines) return;
  }
  sink_.Write(level, message, subject);
}

void LimitedSink::Report(Instant now) {
  std::erase_if(windows_, [&](const auto& entry) {
    const auto& [uid, window] = entry;
    if (window.end > now) return false;
    if (window.lines > kLines) {
      sink_.Write(LogLevel::kWarning,
                  std::to_string(window.lines - kLines) +
                      " more log lines about this user were suppressed",
                  {.uid = uid});
    }
    return true;
  });
}

}  // namespace halftoned::daemon
