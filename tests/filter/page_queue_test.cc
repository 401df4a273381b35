// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/page_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace halftoned {
namespace {

TEST(PageQueue, GivesWhatWasPutInOrder) {
  PageQueue queue(1 << 20);
  PageHeader header{};
  header.cupsHeight = 7;
  const std::vector<std::byte> rows(3, std::byte{5});
  ASSERT_TRUE(queue.BeginPage(header).ok());
  ASSERT_TRUE(queue.WriteRows(rows).ok());
  queue.End(BadInput("the end"));
  EXPECT_TRUE(queue.IsPageNext());
  EXPECT_EQ(std::get<PageHeader>(queue.Take()).cupsHeight, 7U);
  EXPECT_FALSE(queue.IsPageNext());
  EXPECT_EQ(std::get<PageQueue::Rows>(queue.Take()), rows);
  EXPECT_EQ(std::get<Result<void>>(queue.Take()).error().message, "the end");
}

TEST(PageQueue, HoldsNoMoreThanItMayButAlwaysOneItem) {
  constexpr size_t kMost = 100;
  PageQueue queue(kMost);
  std::atomic<size_t> put = 0;
  std::thread writer([&] {
    for (const size_t size : {60, 40, 1, 500, 100, 1}) {
      if (!queue.WriteRows(std::vector<std::byte>(size)).ok()) break;
      put += size;
    }
    queue.End({});
  });
  size_t taken = 0;
  for (;;) {
    const PageQueue::Item item = queue.Take();
    const auto* rows = std::get_if<PageQueue::Rows>(&item);
    if (!rows) break;
    taken += rows->size();
    // What had been put in before the last item was taken.
    EXPECT_LE(put - std::min<size_t>(put, taken), std::max<size_t>(kMost, 500));
  }
  EXPECT_EQ(taken, 702U);
  writer.join();
}

TEST(PageQueue, LetsAWriterGoWhenItIsClosed) {
  PageQueue queue(10);
  ASSERT_TRUE(queue.WriteRows(std::vector<std::byte>(10)).ok());
  std::thread writer([&] {
    EXPECT_FALSE(queue.WriteRows(std::vector<std::byte>(10)).ok());
    queue.End({});
  });
  queue.Close();
  writer.join();
  EXPECT_FALSE(queue.WriteRows(std::vector<std::byte>(1)).ok());
}

}  // namespace
}  // namespace halftoned
