// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "daemon/supervisor/clients/connection_limits.h"

namespace halftoned::daemon {
namespace {

// Takes a seat for `uid`, or returns why there is none.
std::optional<Refusal> Arrive(Admission& admission, uid_t uid,
                              std::vector<Admission::Seat>& seats,
                              bool greets = true) {
  auto arrived = admission.Arrive(uid);
  if (const Refusal* refusal = std::get_if<Refusal>(&arrived)) return *refusal;
  seats.push_back(std::move(std::get<Admission::Seat>(arrived)));
  if (greets) seats.back().Greet();
  return std::nullopt;
}

TEST(Admission, LimitsAUserBeforeItLimitsAll) {
  Admission admission({3, 2});
  std::vector<Admission::Seat> seats;
  EXPECT_EQ(Arrive(admission, 7, seats), std::nullopt);
  EXPECT_EQ(Arrive(admission, 7, seats), std::nullopt);
  EXPECT_EQ(Arrive(admission, 7, seats), Refusal::kConnectionsOfUser);
  EXPECT_EQ(Arrive(admission, 8, seats), std::nullopt);
  EXPECT_EQ(Arrive(admission, 9, seats), Refusal::kConnections);
  EXPECT_EQ(admission.connections(), 3);
}

TEST(Admission, ASeatIsGivenBack) {
  Admission admission({1, 1});
  std::vector<Admission::Seat> seats;
  EXPECT_EQ(Arrive(admission, 7, seats), std::nullopt);
  EXPECT_EQ(Arrive(admission, 8, seats), Refusal::kConnections);
  seats.clear();
  EXPECT_EQ(admission.connections(), 0);
  EXPECT_EQ(Arrive(admission, 8, seats), std::nullopt);
}

TEST(Admission, AMovedSeatCountsOnce) {
  Admission admission({1, 1});
  std::vector<Admission::Seat> seats;
  ASSERT_EQ(Arrive(admission, 7, seats), std::nullopt);
  {
    const Admission::Seat moved = std::move(seats.front());
    seats.clear();
    EXPECT_EQ(admission.connections(), 1);
  }
  EXPECT_EQ(admission.connections(), 0);
}

TEST(Admission, SilentClientsOfOneUserLeaveRoomForOthers) {
  Admission admission({1000, 1000});
  std::vector<Admission::Seat> seats;
  for (int i = 0; i < Limits::kHellosOfUser; ++i) {
    ASSERT_EQ(Arrive(admission, 7, seats, false), std::nullopt);
  }
  EXPECT_EQ(Arrive(admission, 7, seats, false), Refusal::kHellos);
  EXPECT_EQ(Arrive(admission, 8, seats, false), std::nullopt);
  seats.front().Greet();
  EXPECT_EQ(Arrive(admission, 7, seats, false), std::nullopt);
}

TEST(Admission, SilentClientsOfAllUsersAreLimitedToo) {
  Admission admission({1000, 1000});
  std::vector<Admission::Seat> seats;
  for (uid_t i = 0; i < Limits::kHellos; ++i) {
    ASSERT_EQ(Arrive(admission, i, seats, false), std::nullopt);
  }
  EXPECT_EQ(Arrive(admission, 999, seats, false), Refusal::kHellos);
}

TEST(Admission, NewLimitsApplyToNewClients) {
  Admission admission({2, 2});
  std::vector<Admission::Seat> seats;
  ASSERT_EQ(Arrive(admission, 7, seats), std::nullopt);
  ASSERT_EQ(Arrive(admission, 7, seats), std::nullopt);
  admission.SetLimits({1, 1});
  EXPECT_EQ(admission.connections(), 2);
  EXPECT_EQ(Arrive(admission, 8, seats), Refusal::kConnections);
  admission.SetLimits({3, 1});
  EXPECT_EQ(Arrive(admission, 8, seats), std::nullopt);
}

}  // namespace
}  // namespace halftoned::daemon
