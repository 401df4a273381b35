// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/suspect_turn.h"

#include <gtest/gtest.h>

#include <chrono>

namespace halftoned {
namespace {

using std::chrono_literals::operator""s;

class SuspectTurnTest : public testing::Test {
 protected:
  SuspectTurn turn_;
  const int office_ = 1, hall_ = 2;  // printers
  const SuspectTurn::Time start_;
};

TEST_F(SuspectTurnTest, IsFreeOnceTheSuspectHasEnded) {
  EXPECT_TRUE(turn_.IsFree(start_));
  turn_.Begin(&office_, start_);
  EXPECT_FALSE(turn_.IsFree(start_ + 1s));
  turn_.End(&hall_);
  EXPECT_FALSE(turn_.IsFree(start_ + 2s));
  turn_.End(&office_);
  EXPECT_TRUE(turn_.IsFree(start_ + 3s));
}

TEST_F(SuspectTurnTest, IsFreeAfterAWhileAlthoughTheSuspectPrints) {
  turn_.Begin(&office_, start_);
  const auto later = start_ + SuspectTurn::kMost;
  EXPECT_FALSE(turn_.IsFree(later - 1s));
  EXPECT_TRUE(turn_.IsFree(later));
  turn_.Begin(&hall_, later);
  turn_.End(&office_);
  EXPECT_FALSE(turn_.IsFree(later + 1s));
  turn_.End(&hall_);
  EXPECT_TRUE(turn_.IsFree(later + 2s));
}

}  // namespace
}  // namespace halftoned
