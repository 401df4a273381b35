// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/limited_sink.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "daemon/supervisor/journal.h"

namespace halftoned::daemon {
namespace {

class KeptLines : public LogSink {
 public:
  void Write(LogLevel level, std::string_view message,
             const LogSubject& subject) override {
    lines.push_back(LogLine(level, message, subject));
  }
  std::vector<std::string> lines;
};

class LimitedSinkTest : public ::testing::Test {
 protected:
  void Write(uint64_t count, LogLevel level, std::optional<uint32_t> uid) {
    for (uint64_t i = 0; i < count; ++i) {
      sink_->Write(level, "refused",
                   {.job = static_cast<uint32_t>(i + 1), .uid = uid});
    }
  }

  Instant now_{};
  KeptLines kept_;
  std::optional<LimitedSink> sink_{std::in_place, kept_,
                                   [this] { return now_; }};
};

constexpr uint64_t kMany = 31'000;

TEST_F(LimitedSinkTest, LimitsLinesAboutAUserAndCountsTheRest) {
  Write(kMany, LogLevel::kInfo, 7);
  EXPECT_EQ(kept_.lines.size(), LimitedSink::kLines);
  Write(1, LogLevel::kWarning, 8);
  EXPECT_EQ(kept_.lines.back(), "halftoned: warning: refused, job 1, uid 8\n");
  now_ += LimitedSink::kWindow;
  Write(1, LogLevel::kInfo, 7);
  ASSERT_EQ(kept_.lines.size(), LimitedSink::kLines + 3);
  EXPECT_EQ(kept_.lines[LimitedSink::kLines + 1],
            "halftoned: warning: 30950 more log lines about this user were "
            "suppressed, uid 7\n");
  EXPECT_EQ(kept_.lines.back(), "halftoned: info: refused, job 1, uid 7\n");
}

TEST_F(LimitedSinkTest, CountsOmittedLinesAtTheEnd) {
  Write(LimitedSink::kLines + 1, LogLevel::kInfo, 7);
  sink_.reset();
  EXPECT_EQ(kept_.lines.back(),
            "halftoned: warning: 1 more log lines about this user were "
            "suppressed, uid 7\n");
}

TEST_F(LimitedSinkTest, PassesLinesWithoutAUserAndDebugLines) {
  Write(kMany, LogLevel::kError, std::nullopt);
  Write(kMany, LogLevel::kDebug, 7);
  EXPECT_EQ(kept_.lines.size(), 2 * kMany);
}

}  // namespace
}  // namespace halftoned::daemon
