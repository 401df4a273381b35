// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/recent_names.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

constexpr std::chrono::minutes kRemembered{1};

TEST(RecentNames, AreForgotten) {
  RecentNames names(kRemembered);
  const RecentNames::Clock::time_point start;
  names.Add("192.0.2.1", start);
  EXPECT_TRUE(names.Has("192.0.2.1", start + std::chrono::seconds(59)));
  EXPECT_FALSE(names.Has("192.0.2.1", start + kRemembered));
  EXPECT_FALSE(names.Has("192.0.2.2", start));
  names.Remove("192.0.2.1");
  EXPECT_FALSE(names.Has("192.0.2.1", start));
}

TEST(RecentNames, MoreThanCanBeRememberedMakeRoomLater) {
  RecentNames names(kRemembered);
  const RecentNames::Clock::time_point start;
  for (size_t i = 0; i <= RecentNames::kMost; ++i) {
    names.Add(std::to_string(i), start);
  }
  const std::string last = std::to_string(RecentNames::kMost);
  EXPECT_FALSE(names.Has(last, start));
  names.Add(last, start + kRemembered);
  EXPECT_TRUE(names.Has(last, start + kRemembered));
}

}  // namespace
}  // namespace halftoned
