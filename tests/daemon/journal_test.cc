// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/journal.h"

#include <gtest/gtest.h>

namespace halftoned::daemon {
namespace {

using Fields = std::vector<std::string>;

TEST(Journal, ALineNamesItsSubject) {
  EXPECT_EQ(LogLine(LogLevel::kWarning, "text", {}),
            "halftoned: warning: text\n");
  EXPECT_EQ(LogLine(LogLevel::kInfo, "text", {12, "laser", 0}),
            "halftoned: info: text, job 12, printer laser, uid 0\n");
}

TEST(Journal, FieldsNameTheirSubject) {
  EXPECT_EQ(
      JournalFields(LogLevel::kError, "text", {}),
      (Fields{"MESSAGE=text", "PRIORITY=3", "SYSLOG_IDENTIFIER=halftoned"}));
  EXPECT_EQ(JournalFields(LogLevel::kDebug, "text", {12, "laser", 7}),
            (Fields{"MESSAGE=text", "PRIORITY=7", "SYSLOG_IDENTIFIER=halftoned",
                    "HALFTONED_JOB=12", "HALFTONED_PRINTER=laser",
                    "HALFTONED_UID=7"}));
}

TEST(Journal, ClientTextStartsNoNewLine) {
  EXPECT_EQ(LogLine(LogLevel::kInfo, "a\nb", {0, "c\nhalftoned: error", {}}),
            "halftoned: info: a?b, printer c?halftoned: error\n");
}

}  // namespace
}  // namespace halftoned::daemon
