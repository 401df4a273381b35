// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/page_patience.h"

#include <gtest/gtest.h>

#include <chrono>

namespace halftoned {
namespace {

using std::chrono_literals::operator""s;

TEST(PagePatience, IsEndlessWhileNobodyWaits) {
  PagePatience patience(2s);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(patience.Wait(9s, false));
  EXPECT_TRUE(patience.Wait(1s, true));
  EXPECT_FALSE(patience.Wait(1s, true));
}

TEST(PagePatience, BeginsAnewWithEachPageButNotForEver) {
  PagePatience patience(2s);
  for (int page = 1; page < 2 * PagePatience::kMostGaps; ++page) {
    patience.BeginPage();
    EXPECT_TRUE(patience.Wait(1s, true)) << page;
  }
  patience.BeginPage();
  EXPECT_FALSE(patience.Wait(1s, true));
}

}  // namespace
}  // namespace halftoned
