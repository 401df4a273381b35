// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log's destination: the journal, with its fields, if standard error is the
// journal; otherwise lines on standard error.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"

namespace halftoned::daemon {

std::unique_ptr<LogSink> MakeLogSink();

// A line in each of the two forms.
std::vector<std::string> JournalFields(LogLevel level, std::string_view message,
                                       const LogSubject& subject);
std::string LogLine(LogLevel level, std::string_view message,
                    const LogSubject& subject);

}  // namespace halftoned::daemon
