// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/page_memory.h"

#include <gtest/gtest.h>

#include <deque>

namespace halftoned {
namespace {

constexpr size_t kAll = 1200;

// Takes bytes one by one, and returns how many it got.
size_t Fill(PageMemory::Part& part) {
  size_t bytes = 0;
  while (bytes < 2 * kAll && part.TryTake(1)) ++bytes;
  return bytes;
}

TEST(PageMemory, IsDividedEqually) {
  PageMemory memory(kAll);
  std::deque<PageMemory::Part> parts;
  for (int i = 0; i < 12; ++i) parts.emplace_back(memory, kAll);
  for (auto& part : parts) EXPECT_EQ(Fill(part), kAll / 12);
}

TEST(PageMemory, GivesNoPartMoreThanItsOwnLimit) {
  PageMemory memory(kAll);
  PageMemory::Part part(memory, 100);
  EXPECT_EQ(Fill(part), 100U);
}

TEST(PageMemory, GivesAPartThatHasNothingAnySize) {
  PageMemory memory(kAll);
  PageMemory::Part first(memory, kAll);
  ASSERT_EQ(Fill(first), kAll);
  PageMemory::Part second(memory, 10);
  EXPECT_TRUE(second.TryTake(5 * kAll));
  EXPECT_FALSE(second.TryTake(1));
  second.Return(5 * kAll);
  EXPECT_TRUE(second.TryTake(1));
}

// The first part has memory from before the others came.
TEST(PageMemory, IsNeverExceededByMoreThanOneItemOfEachPart) {
  PageMemory memory(kAll);
  std::deque<PageMemory::Part> parts;
  size_t bytes = 0;
  for (size_t i = 0; i < 12; ++i)
    bytes += Fill(parts.emplace_back(memory, kAll));
  EXPECT_LE(bytes, kAll + 11);
  // Each part that returns memory gets no more than an equal part again.
  parts[0].ReturnAll();
  EXPECT_EQ(Fill(parts[0]), kAll / 12);
  EXPECT_GT(Fill(parts[1]), 0U);
}

TEST(PageMemory, LeavesRoomForTheWorkOfEachPart) {
  PageMemory memory(kAll, 200);
  std::deque<PageMemory::Part> parts;
  EXPECT_EQ(Fill(parts.emplace_back(memory, kAll)), kAll - 200);
  parts.clear();
  for (int i = 0; i < 3; ++i) parts.emplace_back(memory, kAll);
  for (auto& part : parts) EXPECT_EQ(Fill(part), kAll / 3 - 200);
  // Nothing is left but for one item each.
  parts.clear();
  for (int i = 0; i < 12; ++i) parts.emplace_back(memory, kAll);
  for (auto& part : parts) EXPECT_EQ(Fill(part), 1U);
}

TEST(PageMemory, IsLargerForOthersOnceAPartIsGone) {
  PageMemory memory(kAll);
  PageMemory::Part first(memory, kAll);
  {
    PageMemory::Part second(memory, kAll);
    EXPECT_EQ(Fill(second), kAll / 2);
    EXPECT_EQ(Fill(first), kAll / 2);
  }
  EXPECT_EQ(Fill(first), kAll / 2);
}

}  // namespace
}  // namespace halftoned
