// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/workers/backoff.h"

#include <gtest/gtest.h>

namespace halftoned::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Backoff, DoublesUpToItsMaximum) {
  Backoff backoff;
  for (const int ms : {100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000}) {
    EXPECT_EQ(backoff.OnDeath(seconds(1)), milliseconds(ms));
  }
}

TEST(Backoff, StartsOverAfterAHealthyMinute) {
  Backoff backoff;
  (void)backoff.OnDeath({});
  (void)backoff.OnDeath({});
  EXPECT_EQ(backoff.OnDeath(seconds(59)), milliseconds(400));
  EXPECT_EQ(backoff.OnDeath(seconds(60)), milliseconds(100));
  EXPECT_EQ(backoff.OnDeath({}), milliseconds(200));
}

}  // namespace
}  // namespace halftoned::daemon
