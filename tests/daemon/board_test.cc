// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/board.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace halftoned::daemon {
namespace {

TEST(Board, ShowsTheSupervisorWhatTheWorkerHasNoted) {
  const auto board = Board::Make();
  ASSERT_TRUE(board.ok()) << board.error().message;
  const auto now = Board::Clock::now();
  const auto later = now + std::chrono::seconds(1);
  {
    auto workers = Board::Open(Descriptor(::dup(board->fd())));
    ASSERT_TRUE(workers.ok()) << workers.error().message;
    workers->Note(1, true, now);
    workers->Note(2, true, now);
    workers->Note(2, false, later);
    workers->Note(Board::kPlaces + 3, true, now);
    workers->Note(3, false, later);  // whose place is another's
    EXPECT_NE(::ftruncate(workers->fd(), 0), 0);
  }
  EXPECT_TRUE(board->Has(1));
  EXPECT_FALSE(board->Has(2));
  EXPECT_FALSE(board->Has(3));
  EXPECT_TRUE(board->Has(Board::kPlaces + 3));
  EXPECT_EQ(board->NotedAt(1), now);
  EXPECT_EQ(board->NotedAt(2), later);
  EXPECT_EQ(board->NotedAt(3), std::nullopt);
  EXPECT_EQ(board->NotedAt(4), std::nullopt);
}

}  // namespace
}  // namespace halftoned::daemon
