// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/recent_sites.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

constexpr std::chrono::minutes kRemembered{1};

TEST(RecentSites, AreForgotten) {
  RecentSites sites(kRemembered);
  const RecentSites::Clock::time_point start;
  sites.Add("192.0.2.1", start);
  EXPECT_TRUE(sites.Has("192.0.2.1", start + std::chrono::seconds(59)));
  EXPECT_FALSE(sites.Has("192.0.2.1", start + kRemembered));
  EXPECT_FALSE(sites.Has("192.0.2.2", start));
  sites.Remove("192.0.2.1");
  EXPECT_FALSE(sites.Has("192.0.2.1", start));
}

TEST(RecentSites, MoreThanCanBeRememberedMakeRoomLater) {
  RecentSites sites(kRemembered);
  const RecentSites::Clock::time_point start;
  for (size_t i = 0; i <= RecentSites::kMost; ++i) {
    sites.Add(std::to_string(i), start);
  }
  const std::string last = std::to_string(RecentSites::kMost);
  EXPECT_FALSE(sites.Has(last, start));
  sites.Add(last, start + kRemembered);
  EXPECT_TRUE(sites.Has(last, start + kRemembered));
}

}  // namespace
}  // namespace halftoned
