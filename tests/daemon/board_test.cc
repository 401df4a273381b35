// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/board.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace halftoned::daemon {
namespace {

TEST(Board, ShowsTheSupervisorTheWorkersNotes) {
  const auto board = Board::Make();
  ASSERT_TRUE(board.ok()) << board.error().message;
  const auto now = Board::Clock::now();
  const auto later = now + std::chrono::seconds(1);
  {
    auto workers = Board::Open(Descriptor(::dup(board->fd())));
    ASSERT_TRUE(workers.ok()) << workers.error().message;
    workers->Note({1, 0}, {.is_at_work = true, .worked = now});
    workers->Note({2, 4095}, {.is_at_work = true, .worked = now});
    workers->Note({2, 4095}, {.worked = later});
    workers->Note({9, 5}, {.worked = later});  // before
    workers->Note({3, 5}, {.keeps_place = true, .worked = now});
    EXPECT_NE(::ftruncate(workers->fd(), 0), 0);
  }
  using State = Board::State;
  EXPECT_EQ(board->StateOf({1, 0}), (State{.is_at_work = true, .worked = now}));
  EXPECT_EQ(board->StateOf({2, 4095}), (State{.worked = later}));
  EXPECT_EQ(board->StateOf({9, 5}), std::nullopt);
  EXPECT_EQ(board->StateOf({3, 5}),
            (State{.keeps_place = true, .worked = now}));
  EXPECT_EQ(board->StateOf({4, 6}), std::nullopt);
}

}  // namespace
}  // namespace halftoned::daemon
