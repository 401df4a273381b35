// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/clients/ledger.h"

#include <gtest/gtest.h>

namespace halftoned::daemon {
namespace {

constexpr uid_t kLp = 7;
constexpr JobKey kPoison{kLp, 1};
constexpr JobKey kInnocent{kLp, 2};

class LedgerTest : public ::testing::Test {
 protected:
  void Die(std::set<JobKey> served, size_t kind = 0) {
    ledger_.Charge(kind, std::move(served), now_);
    now_ += std::chrono::seconds(1);
  }

  Ledger ledger_;
  Instant now_ = Instant() + std::chrono::hours(1);
};

TEST_F(LedgerTest, AJobIsBannedByItsSecondDeath) {
  EXPECT_FALSE(ledger_.IsBanned(kPoison, now_));
  Die({kPoison});
  EXPECT_FALSE(ledger_.IsBanned(kPoison, now_));
  Die({kPoison, kInnocent});
  EXPECT_TRUE(ledger_.IsBanned(kPoison, now_));
  EXPECT_FALSE(ledger_.IsBanned(kInnocent, now_));
}

TEST_F(LedgerTest, JobsOfTwoUsersAreDifferent) {
  Die({{7, 1}});
  Die({{8, 1}});
  EXPECT_FALSE(ledger_.IsBanned({7, 1}, now_));
}

TEST_F(LedgerTest, ADeathIsForgotten) {
  Die({kPoison});
  now_ += Ledger::kWindow;
  Die({kPoison});
  EXPECT_FALSE(ledger_.IsBanned(kPoison, now_));
  Die({kPoison});
  EXPECT_TRUE(ledger_.IsBanned(kPoison, now_));
  now_ += Ledger::kWindow;
  EXPECT_FALSE(ledger_.IsBanned(kPoison, now_));
}

TEST_F(LedgerTest, APoisonJobDoesNotMakeItsWorkerSuspect) {
  for (int i = 0; i < 20; ++i) Die({kPoison});
  EXPECT_FALSE(ledger_.IsSuspect(0, now_));
}

TEST_F(LedgerTest, SeveralJobsMakeTheirWorkerSuspect) {
  Die({{kLp, 1}});
  Die({{kLp, 2}, {kLp, 3}});
  EXPECT_FALSE(ledger_.IsSuspect(0, now_));
  Die({{8, 1}});
  EXPECT_TRUE(ledger_.IsSuspect(0, now_));
  EXPECT_FALSE(ledger_.IsSuspect(1, now_));
}

TEST_F(LedgerTest, AWorkerThatDiesWithoutAJobIsSuspect) {
  for (int i = 0; i < Ledger::kDeathsOfKind; ++i) Die({}, 1);
  EXPECT_TRUE(ledger_.IsSuspect(1, now_));
}

TEST_F(LedgerTest, ClientsWithoutAJobHaveNothingInCommon) {
  for (int i = 0; i < 20; ++i) Die({{kLp, 0}});
  EXPECT_FALSE(ledger_.IsBanned({kLp, 0}, now_));
  EXPECT_TRUE(ledger_.IsSuspect(0, now_));
}

}  // namespace
}  // namespace halftoned::daemon
