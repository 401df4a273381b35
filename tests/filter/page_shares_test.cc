// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/page_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace halftoned {
namespace {

TEST(PageShares, RenderersTakeEqualPagesInTurn) {
  const PageShares shares(std::vector<double>(5, 20.0), 2);
  const auto first = shares.ListsOf(0);
  const auto second = shares.ListsOf(1);
  ASSERT_EQ(first.size(), 1U);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(first[0].text, "1,3,5");
  EXPECT_EQ(first[0].pages, (std::vector<int64_t>{1, 3, 5}));
  EXPECT_EQ(second[0].text, "2,4");
  EXPECT_EQ(second[0].pages, (std::vector<int64_t>{2, 4}));
}

// Each second page takes ten times as long, and there are two renderers.
TEST(PageShares, LongPagesAreSharedAsShortOnesAre) {
  std::vector<double> work;
  for (int i = 0; i < 40; ++i) work.push_back(i % 2 == 0 ? 20 : 200);
  const PageShares shares(work, 2);
  double sums[2] = {};
  for (int64_t page = 1; page <= 40; ++page) {
    sums[shares.RendererOf(page)] += work[static_cast<size_t>(page - 1)];
  }
  EXPECT_LE(std::max(sums[0], sums[1]) - std::min(sums[0], sums[1]), 200);
}

TEST(PageShares, NoMoreRenderersThanMakeItFaster) {
  EXPECT_EQ(PageShares::FewestFor(std::vector<double>(20, 168.0), 16), 10);
  EXPECT_EQ(PageShares::FewestFor(std::vector<double>(16, 168.0), 16), 16);
  EXPECT_EQ(PageShares::FewestFor(std::vector<double>(100, 20.0), 4), 4);
  EXPECT_EQ(PageShares::FewestFor({1000, 20, 20, 20}, 4), 2);
  EXPECT_EQ(PageShares::FewestFor({20}, 8), 1);
}

TEST(PageShares, EachPageHasOneRendererAndItsPlace) {
  for (const int renderers : {1, 2, 3, 16}) {
    for (const size_t pages : {1, 2, 31, 5000}) {
      const PageShares shares(std::vector<double>(pages, 1.0), renderers);
      std::map<int64_t, int> made;
      for (int i = 0; i < renderers; ++i) {
        int64_t last = 0;
        for (const auto& list : shares.ListsOf(i)) {
          // What Ghostscript takes.
          EXPECT_LT(list.text.size(), 2048 - sizeof("-sPageList="));
          ASSERT_FALSE(list.pages.empty());
          for (const int64_t page : list.pages) {
            EXPECT_GT(page, last);
            EXPECT_EQ(shares.RendererOf(page), i);
            ++made[page];
            last = page;
          }
        }
      }
      EXPECT_EQ(made.size(), pages);
    }
  }
}

}  // namespace
}  // namespace halftoned
