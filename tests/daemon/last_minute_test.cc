// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/clients/last_minute.h"

#include <gtest/gtest.h>

namespace halftoned::daemon {
namespace {

using std::chrono::seconds;

TEST(LastMinute, SumsItsWork) {
  const LastMinute::Clock::time_point begin(seconds(1000));
  LastMinute last;
  EXPECT_EQ(last.Sum(begin).pages, 0u);
  last.Add({1, 100}, begin);
  last.Add({2, 10}, begin);
  last.Add({4, 1}, begin + seconds(30));
  EXPECT_EQ(last.Sum(begin + seconds(30)).pages, 7u);
  EXPECT_EQ(last.Sum(begin + seconds(59)).gray_bytes, 111u);
  EXPECT_EQ(last.Sum(begin + seconds(60)).gray_bytes, 1u);
  // Replaces the count of a minute before.
  last.Add({8, 1000}, begin + seconds(60));
  EXPECT_EQ(last.Sum(begin + seconds(60)).pages, 12u);
  EXPECT_EQ(last.Sum(begin + seconds(1000)).pages, 0u);
}

}  // namespace
}  // namespace halftoned::daemon
