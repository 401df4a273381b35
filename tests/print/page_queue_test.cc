// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/page_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace halftoned {
namespace {

TEST(PageQueue, GivesWhatWasPutInOrder) {
  PageQueue queue(1 << 20);
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
  constexpr size_t kMost = 100;
  PageQueue queue(kMost);
  std::atomic<size_t> put = 0;
  std::thread writer([&] {
    for (const size_t size : {60, 40, 1, 500, 100, 1}) {
      if (!queue.PutRows({std::vector<std::byte>(size), 1}).ok()) break;
      put += size;
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
    EXPECT_LE(put - std::min<size_t>(put, taken), std::max<size_t>(kMost, 500));
  }
  EXPECT_EQ(taken, 702U);
  writer.join();
}

TEST(PageQueue, ReleasesAWriterWhenItIsClosed) {
  PageQueue queue(10);
  ASSERT_TRUE(queue.PutRows({std::vector<std::byte>(10), 1}).ok());
  std::thread writer([&] {
    EXPECT_FALSE(queue.PutRows({std::vector<std::byte>(10), 1}).ok());
    queue.End({});
  });
  queue.Close();
  writer.join();
  EXPECT_FALSE(queue.PutRows({std::vector<std::byte>(1), 1}).ok());
}

}  // namespace
}  // namespace halftoned
