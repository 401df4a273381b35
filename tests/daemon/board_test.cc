// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/board.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace halftoned::daemon {
namespace {

TEST(Board, ShowsTheSupervisorWhatTheWorkerHasNoted) {
  const auto board = Board::Make();
  ASSERT_TRUE(board.ok()) << board.error().message;
  {
    auto workers = Board::Open(Descriptor(::dup(board->fd())));
    ASSERT_TRUE(workers.ok()) << workers.error().message;
    workers->Note(1, true);
    workers->Note(2, true);
    workers->Note(2, false);
    workers->Note(Board::kPlaces + 3, true);
    workers->Note(3, false);  // whose place is another's
    EXPECT_NE(::ftruncate(workers->fd(), 0), 0);
  }
  EXPECT_TRUE(board->Has(1));
  EXPECT_FALSE(board->Has(2));
  EXPECT_FALSE(board->Has(3));
  EXPECT_TRUE(board->Has(Board::kPlaces + 3));
}

}  // namespace
}  // namespace halftoned::daemon
