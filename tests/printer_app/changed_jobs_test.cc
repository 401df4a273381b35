// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/changed_jobs.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

TEST(ChangedJobs, ThoseThatChangeAgainDoNotDelayOthers) {
  ChangedJobs changed;
  EXPECT_TRUE(changed.empty());
  EXPECT_EQ(changed.TakeNext(), std::nullopt);
  for (const int job : {1, 2, 2, 3}) changed.Add({1, job});
  for (const int job : {1, 2, 3, 1, 1}) {
    EXPECT_FALSE(changed.empty());
    EXPECT_EQ(changed.TakeNext(), (JobNumber{1, job}));
    changed.Add({1, 1});
  }
  EXPECT_EQ(changed.TakeNext(), (JobNumber{1, 1}));
  EXPECT_TRUE(changed.empty());
}

}  // namespace
}  // namespace halftoned
