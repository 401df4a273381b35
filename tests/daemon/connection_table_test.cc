// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/clients/connection_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

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

TEST(ConnectionTable, CountsWorkByEngineAndNeverDecreases) {
  ConnectionTable connection_table;
  connection_table.Add(Of(1, 7, 1));
  connection_table.Add(Of(2, 7, 2));
  Report report;
  report.connections = {{1, Rows(10), 0, 0, 0, 0}};
  connection_table.Update(1, report);
  EXPECT_EQ(connection_table.Totals()["one"].rows, 10u);
  ASSERT_TRUE(connection_table.Close(1, Closed{1, Rows(12), ""}));
  EXPECT_EQ(connection_table.Totals()["one"].rows, 12u);
  report.connections = {{2, Rows(5), 0, 0, 0, 0}};
  connection_table.Update(2, report);
  EXPECT_EQ(connection_table.CloseAllOf(2, nullptr),
            (std::set<JobKey>{{7, 2}}));
  EXPECT_EQ(connection_table.Totals()["two"].rows, 5u);
  EXPECT_TRUE(connection_table.connections().empty());
}

TEST(ConnectionTable, AWorkerReportsOnlyItsOwnConnections) {
  ConnectionTable connection_table;
  connection_table.Add(Of(1, 7, 1));
  EXPECT_FALSE(connection_table.Close(2, Closed{1, Rows(1), ""}));
  EXPECT_FALSE(connection_table.Close(1, Closed{2, Rows(1), ""}));
  Report report;
  report.connections = {{1, Rows(10), 0, 0, 0, 0}};
  connection_table.Update(2, report);
  EXPECT_EQ(connection_table.Totals()["one"].rows, 0u);
  EXPECT_EQ(connection_table.CountOf(1), 1u);
  EXPECT_EQ(connection_table.CountOf(2), 0u);
}

TEST(ConnectionTable, AJobOfSeveralConnectionsIsChargedOnce) {
  ConnectionTable connection_table;
  connection_table.Add(Of(1, 7, 1));
  connection_table.Add(Of(1, 7, 1));
  connection_table.Add(Of(1, 8, 1));
  EXPECT_EQ(connection_table.CloseAllOf(1, nullptr),
            (std::set<JobKey>{{7, 1}, {8, 1}}));
}

TEST(ConnectionTable, ClientsThatWaitedBehindAWorkerAreNotChargedWithItsEnd) {
  ConnectionTable connection_table;
  for (const uint32_t job : {1u, 2u, 3u}) {
    Connection connection = Of(1, 7, job);
    connection.is_adopted = false;
    connection_table.Add(std::move(connection));
  }
  connection_table.MarkAdopted(1, Adopted{2});
  connection_table.MarkAdopted(2, Adopted{3});
  EXPECT_EQ(connection_table.CloseAllOf(1, nullptr),
            (std::set<JobKey>{{7, 2}}));
  EXPECT_TRUE(connection_table.connections().empty());
}

TEST(ConnectionTable, OnlyWorkingClientsAreChargedWithTheEnd) {
  auto board = Board::Make();
  ASSERT_TRUE(board.ok());
  ConnectionTable connection_table;
  for (const uint32_t job : {1u, 2u, 3u}) connection_table.Add(Of(1, 7, job));
  board->Note({2, 1}, {.is_at_work = true});
  EXPECT_EQ(connection_table.CloseAllOf(1, &*board),
            (std::set<JobKey>{{7, 2}}));
  EXPECT_TRUE(connection_table.connections().empty());
}

TEST(ConnectionTable, FindsTheIdlestWithoutABandInFlight) {
  auto board = Board::Make();
  ASSERT_TRUE(board.ok());
  const auto boards = [&](uint32_t) { return &*board; };
  const Instant start = Instant() + std::chrono::hours(1);
  const auto at = [&](int number) {
    return start + std::chrono::seconds(number);
  };
  ConnectionTable connection_table;
  uint32_t job = 0;
  for (const uid_t uid : {7u, 7u, 8u, 7u}) {
    Connection connection = Of(1, uid, ++job);
    connection.since = start;
    connection_table.Add(std::move(connection));
  }
  board->Note({1, 0}, {.keeps_place = true, .worked = at(0)});
  // That one does not read its answers.
  board->Note({2, 1}, {.is_at_work = true, .worked = at(20)});
  board->Note({4, 3}, {.worked = at(30)});
  EXPECT_EQ(connection_table.FindIdlest({}, at(60), boards), 3u);
  EXPECT_EQ(connection_table.FindIdlest(7, at(60), boards), 2u);
  EXPECT_EQ(connection_table.FindIdlest(7, at(19), boards), 0u);
  EXPECT_EQ(connection_table.FindIdlest(9, at(60), boards), 0u);
  connection_table.Dismiss(3);
  EXPECT_EQ(connection_table.FindIdlest({}, at(60), boards), 2u);
  EXPECT_EQ(connection_table.FindIdlest(
                {}, at(60), [](uint32_t) -> const Board* { return nullptr; }),
            0u);
}

TEST(ConnectionTable, GivesTheSeatOfAnEvictedConnectionToOthers) {
  Admission admission({1, 1});
  ConnectionTable connection_table;
  Connection connection = Of(1, 7, 1);
  connection.seat = std::get<Admission::Seat>(admission.Arrive(7));
  connection_table.Add(std::move(connection));
  connection_table.Dismiss(1);
  EXPECT_EQ(admission.connections(), 0);
  EXPECT_EQ(connection_table.connections().size(), 1u);
}

TEST(ConnectionTable, EvictsFirstFromTheJobWithTheMostConnections) {
  auto board = Board::Make();
  ASSERT_TRUE(board.ok());
  const auto boards = [&](uint32_t) { return &*board; };
  const Instant now = Instant() + std::chrono::hours(1);
  ConnectionTable connection_table;
  // Clients without a job have nothing in common.
  for (const uint32_t job : {6u, 5u, 5u, 5u, 0u, 0u, 0u, 0u}) {
    Connection connection = Of(1, 7, job);
    connection.since = Instant() + std::chrono::seconds(job);
    connection_table.Add(std::move(connection));
  }
  std::vector<uint32_t> jobs;
  while (const uint64_t number = connection_table.FindIdlest({}, now, boards)) {
    jobs.push_back(connection_table.connections().at(number).hello.job);
    connection_table.Dismiss(number);
  }
  EXPECT_EQ(jobs, (std::vector<uint32_t>{5, 5, 0, 0, 0, 0, 5, 6}));
}

TEST(ConnectionTable, AFloodTakesNobodysPlaceOnTheBoard) {
  auto board = Board::Make();
  ASSERT_TRUE(board.ok());
  ConnectionTable connection_table;
  connection_table.Add(Of(1, 7, 1));
  board->Note({1, connection_table.connections().at(1).place},
              {.is_at_work = true, .keeps_place = true});
  for (size_t i = 0; i < 2 * Board::kPlaces; ++i) {
    const uint64_t number = connection_table.next_number();
    const uint32_t place = connection_table.next_place();
    connection_table.Add(Of(1, 8, 2));
    ASSERT_EQ(connection_table.connections().at(number).place, place);
    board->Note({number, place}, {.is_at_work = true});
    board->Note({number, place}, {});
    ASSERT_TRUE(connection_table.Close(1, Closed{number, {}, ""}));
  }
  EXPECT_EQ(connection_table.FindIdlest({}, kNever,
                                        [&](uint32_t) { return &*board; }),
            0u);
  EXPECT_EQ(connection_table.CloseAllOf(1, &*board),
            (std::set<JobKey>{{7, 1}}));
  EXPECT_EQ(connection_table.next_place(), 0u);
}

TEST(ConnectionTable, LimitsEvictionsThatHaveNotEnded) {
  auto board = Board::Make();
  ASSERT_TRUE(board.ok());
  const auto boards = [&](uint32_t) { return &*board; };
  const Instant now = Instant() + std::chrono::hours(1);
  ConnectionTable connection_table;
  for (int i = 0; i <= Limits::kDismissed; ++i) {
    for (const uid_t uid : {7u, 8u, 9u}) connection_table.Add(Of(1, uid, 1));
  }
  const auto dismiss_all = [&](std::optional<uid_t> of_user) {
    int count = 0;
    while (const uint64_t number =
               connection_table.FindIdlest(of_user, now, boards)) {
      connection_table.Dismiss(number);
      ++count;
    }
    return count;
  };
  EXPECT_EQ(dismiss_all(7), Limits::kDismissedOfUser);
  EXPECT_EQ(dismiss_all({}), Limits::kDismissed - Limits::kDismissedOfUser);
  // Each end makes room for one.
  const auto& all = connection_table.connections();
  const auto dismissed = std::ranges::find_if(all, [](const auto& entry) {
    return entry.second.is_dismissed && entry.second.peer.uid == 7;
  });
  ASSERT_TRUE(connection_table.Close(1, Closed{dismissed->first, {}, ""}));
  EXPECT_EQ(dismiss_all(7), 1);
}

TEST(ConnectionTable, HealthChecksAreNotClients) {
  ConnectionTable connection_table;
  Connection own = Of(1, 7, 0);
  own.is_own = true;
  connection_table.Add(std::move(own));
  EXPECT_EQ(connection_table.CountOf(1), 0u);
  ASSERT_TRUE(connection_table.Close(1, Closed{1, Rows(96), ""}));
  EXPECT_TRUE(connection_table.Totals().empty());
}

TEST(ConnectionTable, GivesTheSeatBack) {
  Admission admission({1, 1});
  ConnectionTable connection_table;
  Connection connection = Of(1, 7, 1);
  connection.seat = std::get<Admission::Seat>(admission.Arrive(7));
  connection_table.Add(std::move(connection));
  EXPECT_EQ(admission.connections(), 1);
  (void)connection_table.CloseAllOf(1, nullptr);
  EXPECT_EQ(admission.connections(), 0);
}

}  // namespace
}  // namespace halftoned::daemon
