// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/user_shares.h"

#include <gtest/gtest.h>

#include <climits>
#include <list>
#include <string>

namespace halftoned {
namespace {

constexpr uint64_t kDisk = 1 << 12;

class UserSharesTest : public ::testing::Test {
 protected:
  // Bytes that are kept of a document without an end.
  uint64_t Fill(const std::string& name, bool is_remote) {
    UserShares::Coming& share =
        coming_.emplace_back(shares_, UserShares::User{name, is_remote});
    const uint64_t before = free_;
    while (share.Take({0, 1})) --free_;
    return before - free_;
  }

  uint64_t free_ = kDisk;
  UserShares shares_{{INT_MAX, UINT64_MAX}, [this] { return free_; }};
  std::list<UserShares::Coming> coming_;
};

TEST_F(UserSharesTest, EachUserGetsHalfOfWhatOthersLeave) {
  EXPECT_EQ(Fill("one", false), kDisk / 2);
  EXPECT_EQ(Fill("two", false), kDisk / 4);
  EXPECT_EQ(Fill("one", true), kDisk / 8);
  EXPECT_EQ(Fill("one", false), 0U);
  coming_.pop_front();
  free_ += kDisk / 2;
  EXPECT_EQ(Fill("one", false), (kDisk / 2 + kDisk / 8) / 2);
}

TEST_F(UserSharesTest, OtherMachinesLeaveAQuarter) {
  uint64_t all = 0;
  for (int i = 0; i < 50; ++i) all += Fill(std::to_string(i), true);
  EXPECT_EQ(all, kDisk / 4 * 3);
  EXPECT_EQ(Fill("local", false), kDisk / 8);
}

TEST_F(UserSharesTest, AFullDiskTakesJobsWithoutDocuments) {
  free_ = 0;
  UserShares::Coming share(shares_, {"one"});
  EXPECT_TRUE(share.Take({1, 0}));
  EXPECT_FALSE(share.Take({0, 1}));
}

TEST_F(UserSharesTest, AMinuteHasAThousandJobsOfAUser) {
  for (int i = 0; i < UserShares::kMostPerMinute; ++i) {
    UserShares::Coming ended(shares_, {"one"});
    ASSERT_TRUE(ended.Take({1, 0}));
  }
  EXPECT_FALSE(UserShares::Coming(shares_, {"one"}).Take({1, 0}));
  EXPECT_TRUE(UserShares::Coming(shares_, {"one", true}).Take({1, 0}));
  EXPECT_TRUE(shares_.IsTimeToTidy());
  EXPECT_FALSE(shares_.IsTimeToTidy());
}

}  // namespace
}  // namespace halftoned
