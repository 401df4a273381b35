// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/memory_shares.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace halftoned {
namespace {

TEST(MemoryShares, LeaveAQuarterOfTheProcessForEverythingElse) {
  rlimit old = {};
  ASSERT_EQ(getrlimit(RLIMIT_DATA, &old), 0);
  rlimit limit = old;
  limit.rlim_cur = rlim_t{1} << 45;
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &limit), 0);
  const int64_t all = MemoryOfProcess();
  setrlimit(RLIMIT_DATA, &old);
  EXPECT_EQ(all, int64_t{1} << 45);
  EXPECT_EQ(MemoryForPictures(all), int64_t{1} << 44);
  EXPECT_EQ(MemoryForSheets(all), size_t{1} << 43);
}

}  // namespace
}  // namespace halftoned
