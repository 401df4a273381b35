// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/log_limit.h"

#include <gtest/gtest.h>

#include <string>

namespace halftoned {
namespace {

class LogLimitTest : public testing::Test {
 protected:
  // The number of lines that may be written.
  int Take(const std::string& name, int lines, bool is_local = false) {
    int written = 0;
    for (int i = 0; i < lines; ++i) {
      written += limit_.Take({name, is_local}, now_);
    }
    return written;
  }
  std::string EndOfMinute() {
    now_ += LogLimit::kWindow;
    return limit_.TakeReport(now_);
  }

  LogLimit limit_{{.of_client = 10, .of_all = 30}};
  LogLimit::Clock::time_point now_{};
};

TEST_F(LogLimitTest, LimitsAClientAndCountsTheRest) {
  EXPECT_EQ(Take("uid 1", 2000), 10);
  EXPECT_EQ(Take("uid 2", 3), 3);
  EXPECT_EQ(limit_.TakeReport(now_), "");
  EXPECT_EQ(EndOfMinute(), "Lines omitted in a minute: 1990 from uid 1.");
  EXPECT_EQ(Take("uid 1", 1), 1);
  EXPECT_EQ(EndOfMinute(), "");
}

TEST_F(LogLimitTest, LimitsAllClientsButNotTheServer) {
  for (int i = 0; i < 1000; ++i) Take(std::to_string(i), 12);
  EXPECT_EQ(Take("late", 5), 0);
  EXPECT_EQ(Take("", 11), 10);
  EXPECT_EQ(EndOfMinute(),
            "Lines omitted in a minute: 2 from 2, 2 from 1, 2 from 0, "
            "1 from the server, 11969 from others.");
}

TEST_F(LogLimitTest, LimitsUsersOfThisMachineByThemselves) {
  for (int i = 0; i < 1000; ++i) Take("address " + std::to_string(i), 1);
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(Take("uid " + std::to_string(i), 11, true), 10);
  }
  EXPECT_EQ(Take("uid 4", 1, true), 0);
  EXPECT_EQ(EndOfMinute(),
            "Lines omitted in a minute: 1 from uid 3, 1 from uid 2, 1 from uid "
            "1, 971 from others.");
  for (int i = 0; i < 40; ++i) Take("uid " + std::to_string(i), 1, true);
  EXPECT_EQ(Take("address", 1), 1);
}

TEST_F(LogLimitTest, NamesTheClientsWithTheMostLines) {
  LogLimit limit({.of_client = 1, .of_all = 100});
  for (int i = 1; i <= 7; ++i) {
    for (int lines = 0; lines <= i; ++lines) {
      limit.Take({"uid " + std::to_string(i)}, now_);
    }
  }
  EXPECT_EQ(limit.TakeReport(now_ + LogLimit::kWindow),
            "Lines omitted in a minute: 7 from uid 7, 6 from uid 6, 5 from uid "
            "5, 4 from uid 4, 3 from uid 3, 3 from others.");
}

}  // namespace
}  // namespace halftoned
