// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/page_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace halftoned {
namespace {

constexpr size_t kUnit = 1 << 12;

PageQueue::Rows RowsOf(size_t bytes) {
  return {std::vector<std::byte>(bytes), 1};
}

TEST(PageQueue, GivesWhatWasPutInOrder) {
  PageMemory memory(1 << 20);
  PageQueue queue(memory, 1 << 20);
  PageHeader header{};
  header.cupsHeight = 7;
  const PageQueue::Rows rows = {std::vector(3, std::byte{5}), 1};
  ASSERT_TRUE(queue.BeginPage(header).ok());
  ASSERT_TRUE(queue.PutRows(rows).ok());
  queue.End(BadInput("the end"));
  EXPECT_TRUE(queue.IsPageNext());
  EXPECT_EQ(std::get<PageHeader>(queue.Take()).cupsHeight, 7U);
  EXPECT_FALSE(queue.IsPageNext());
  const auto taken = std::get<PageQueue::Rows>(queue.Take());
  EXPECT_EQ(taken.bytes, rows.bytes);
  EXPECT_EQ(taken.count, 1);
  EXPECT_EQ(std::get<Result<void>>(queue.Take()).error().message, "the end");
}

TEST(PageQueue, HoldsNoMoreThanItMayButAlwaysOneItem) {
  constexpr size_t kMost = 100 * kUnit;
  PageMemory memory(kMost);
  PageQueue queue(memory, kMost);
  std::atomic<size_t> put = 0;
  std::thread writer([&] {
    for (const size_t size : {60, 40, 1, 500, 100, 1}) {
      if (!queue.PutRows(RowsOf(size * kUnit)).ok()) break;
      put += size * kUnit;
    }
    queue.End({});
  });
  size_t taken = 0;
  for (;;) {
    const PageQueue::Item item = queue.Take();
    const auto* rows = std::get_if<PageQueue::Rows>(&item);
    if (!rows) break;
    taken += rows->bytes.size();
    // What had been put in before the last item was taken.
    EXPECT_LE(put - std::min<size_t>(put, taken), 500 * kUnit);
  }
  EXPECT_EQ(taken, 702 * kUnit);
  writer.join();
}

TEST(PageQueue, ReleasesAWriterWhenItIsClosed) {
  PageMemory memory(10);
  PageQueue queue(memory, 10);
  ASSERT_TRUE(queue.PutRows(RowsOf(10)).ok());
  std::thread writer([&] {
    EXPECT_FALSE(queue.PutRows(RowsOf(10)).ok());
    queue.End({});
  });
  queue.Close();
  writer.join();
  EXPECT_FALSE(queue.PutRows(RowsOf(1)).ok());
}

TEST(PageQueue, ReturnsTheMemoryOfWhatIsTakenOutOrDropped) {
  PageMemory memory(3 * kUnit);
  PageMemory::Part other(memory, 3 * kUnit);
  ASSERT_TRUE(other.TryTake(1));
  const auto is_free = [&other] {
    const bool is_taken = other.TryTake(kUnit);
    if (is_taken) other.Return(kUnit);
    return is_taken;
  };
  {
    PageQueue queue(memory, 3 * kUnit);
    ASSERT_TRUE(queue.PutRows(RowsOf(3 * kUnit)).ok());
    EXPECT_FALSE(is_free());
    queue.Take();
    EXPECT_TRUE(is_free());
    ASSERT_TRUE(queue.PutRows(RowsOf(3 * kUnit)).ok());
    queue.Close();
    EXPECT_TRUE(is_free());
  }
  {
    PageQueue queue(memory, 3 * kUnit);
    ASSERT_TRUE(queue.PutRows(RowsOf(3 * kUnit)).ok());
    EXPECT_FALSE(is_free());
  }
  EXPECT_TRUE(is_free());
}

}  // namespace
}  // namespace halftoned
