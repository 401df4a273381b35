// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the log goes: to the journal with its fields, where standard error is
// the journal, else as lines to standard error.

#ifndef HALFTONED_DAEMON_SUPERVISOR_JOURNAL_H_
#define HALFTONED_DAEMON_SUPERVISOR_JOURNAL_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"

namespace halftoned::daemon {

std::unique_ptr<LogSink> MakeLogSink();

// A line as each of them has it.
std::vector<std::string> JournalFields(LogLevel level, std::string_view message,
                                       const LogSubject& subject);
std::string LogLine(LogLevel level, std::string_view message,
                    const LogSubject& subject);

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_JOURNAL_H_
