// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/roster.h"

#include <gtest/gtest.h>

namespace halftoned::daemon {
namespace {

Connection Of(uint32_t worker, uid_t uid, uint32_t job) {
  Connection connection;
  connection.worker = worker;
  connection.engine = worker == 1 ? "one" : "two";
  connection.peer.uid = uid;
  connection.hello.job = job;
  connection.is_adopted = true;
  return connection;
}

Counters Rows(uint64_t rows) {
  Counters counters;
  counters.rows = rows;
  return counters;
}

TEST(Roster, CountsWhatWasDoneByEngineAndNeverLess) {
  Roster roster;
  roster.Add(Of(1, 7, 1));
  roster.Add(Of(2, 7, 2));
  Report report;
  report.connections = {{1, Rows(10), 0, 0, 0, 0}};
  roster.Update(1, report);
  EXPECT_EQ(roster.Totals()["one"].rows, 10u);
  ASSERT_TRUE(roster.Close(1, Closed{1, Rows(12), ""}));
  EXPECT_EQ(roster.Totals()["one"].rows, 12u);
  report.connections = {{2, Rows(5), 0, 0, 0, 0}};
  roster.Update(2, report);
  EXPECT_EQ(roster.CloseAllOf(2), (std::set<JobKey>{{7, 2}}));
  EXPECT_EQ(roster.Totals()["two"].rows, 5u);
  EXPECT_TRUE(roster.connections().empty());
}

TEST(Roster, AWorkerSpeaksForItsOwnConnectionsOnly) {
  Roster roster;
  roster.Add(Of(1, 7, 1));
  EXPECT_FALSE(roster.Close(2, Closed{1, Rows(1), ""}));
  EXPECT_FALSE(roster.Close(1, Closed{2, Rows(1), ""}));
  Report report;
  report.connections = {{1, Rows(10), 0, 0, 0, 0}};
  roster.Update(2, report);
  EXPECT_EQ(roster.Totals()["one"].rows, 0u);
  EXPECT_EQ(roster.CountOf(1), 1u);
  EXPECT_EQ(roster.CountOf(2), 0u);
}

TEST(Roster, AJobOfSeveralConnectionsIsChargedOnce) {
  Roster roster;
  roster.Add(Of(1, 7, 1));
  roster.Add(Of(1, 7, 1));
  roster.Add(Of(1, 8, 1));
  EXPECT_EQ(roster.CloseAllOf(1), (std::set<JobKey>{{7, 1}, {8, 1}}));
}

TEST(Roster, WhoWaitedBehindAWorkerIsNotChargedWithItsEnd) {
  Roster roster;
  for (const uint32_t job : {1u, 2u, 3u}) {
    Connection connection = Of(1, 7, job);
    connection.is_adopted = false;
    roster.Add(std::move(connection));
  }
  roster.MarkAdopted(1, Adopted{2});
  roster.MarkAdopted(2, Adopted{3});
  EXPECT_EQ(roster.CloseAllOf(1), (std::set<JobKey>{{7, 2}}));
  EXPECT_TRUE(roster.connections().empty());
}

TEST(Roster, ChecksOfHealthAreNoClients) {
  Roster roster;
  Connection own = Of(1, 7, 0);
  own.is_own = true;
  roster.Add(std::move(own));
  EXPECT_EQ(roster.CountOf(1), 0u);
  ASSERT_TRUE(roster.Close(1, Closed{1, Rows(96), ""}));
  EXPECT_TRUE(roster.Totals().empty());
}

TEST(Roster, GivesTheSeatBack) {
  Admission admission({1, 1});
  Roster roster;
  Connection connection = Of(1, 7, 1);
  connection.seat = std::get<Admission::Seat>(admission.Arrive(7));
  roster.Add(std::move(connection));
  EXPECT_EQ(admission.connections(), 1);
  (void)roster.CloseAllOf(1);
  EXPECT_EQ(admission.connections(), 0);
}

}  // namespace
}  // namespace halftoned::daemon
