// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/handover/hold.h"

#include <gtest/gtest.h>

#include <string>

namespace halftoned {
namespace {

// 27 November 2026 is a Friday.
time_t At(int hour, int day = 27) {
  tm local = {};
  local.tm_year = 126;
  local.tm_mon = 10;
  local.tm_mday = day;
  local.tm_hour = hour;
  local.tm_isdst = -1;
  return mktime(&local);
}

TEST(Hold, AJobThatWaitsForItsTurnMayBegin) {
  EXPECT_EQ(MayBegin(kHoldForTurn, At(12)), true);
  EXPECT_EQ(MayBegin("", At(12)), true);
}

TEST(Hold, AJobThatSomebodyHoldsStays) {
  for (const char* word : {"indefinite", "night", "halftone-", "halftone-at-",
                           "halftone-at-1x", "halftone-nights"}) {
    EXPECT_EQ(MayBegin(word, At(23)), std::nullopt) << word;
  }
}

TEST(Hold, AJobBeginsInItsPeriod) {
  struct Case {
    const char* hold;
    int within, without;  // hours
  };
  for (const Case& each :
       {Case{"halftone-day-time", 6, 18}, Case{"halftone-evening", 18, 2},
        Case{"halftone-night", 18, 17}, Case{"halftone-night", 5, 6},
        Case{"halftone-second-shift", 23, 0},
        Case{"halftone-third-shift", 0, 8}}) {
    EXPECT_EQ(MayBegin(each.hold, At(each.within)), true) << each.hold;
    EXPECT_EQ(MayBegin(each.hold, At(each.without)), false) << each.hold;
  }
  EXPECT_EQ(MayBegin("halftone-weekend", At(12)), false);
  EXPECT_EQ(MayBegin("halftone-weekend", At(12, 28)), true);
}

TEST(Hold, AJobBeginsAtItsTime) {
  const std::string hold = "halftone-at-" + std::to_string(At(12));
  EXPECT_EQ(MayBegin(hold, At(12) - 1), false);
  EXPECT_EQ(MayBegin(hold, At(12)), true);
}

}  // namespace
}  // namespace halftoned
