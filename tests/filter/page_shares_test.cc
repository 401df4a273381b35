// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/page_shares.h"

#include <gtest/gtest.h>

#include <map>

namespace halftoned {
namespace {

TEST(PageShares, RenderersTakeSheetsInTurn) {
  const PageShares shares(9, 2);
  const auto first = shares.ListsOf(0);
  const auto second = shares.ListsOf(1);
  ASSERT_EQ(first.size(), 1U);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(first[0].text, "1-2,5-6,9");
  EXPECT_EQ(first[0].pages, (std::vector<int64_t>{1, 2, 5, 6, 9}));
  EXPECT_EQ(second[0].text, "3-4,7-8");
  EXPECT_EQ(second[0].pages, (std::vector<int64_t>{3, 4, 7, 8}));
}

TEST(PageShares, EachPageHasOneRendererAndItsPlace) {
  for (const int renderers : {1, 2, 3, 16}) {
    for (const int64_t pages : {1, 2, 31, 5000}) {
      const PageShares shares(pages, renderers);
      std::map<int64_t, int> made;
      for (int i = 0; i < renderers; ++i) {
        int64_t last = 0;
        bool is_front = true;
        for (const auto& list : shares.ListsOf(i)) {
          // What Ghostscript takes.
          EXPECT_LT(list.text.size(), 2048 - sizeof("-sPageList="));
          ASSERT_FALSE(list.pages.empty());
          EXPECT_EQ(list.pages[0] % 2, 1);
          for (const int64_t page : list.pages) {
            EXPECT_GT(page, last);
            EXPECT_EQ(page % 2 == 1, is_front);
            EXPECT_EQ(shares.RendererOf(page), i);
            ++made[page];
            last = page;
            is_front = !is_front;
          }
        }
      }
      EXPECT_EQ(made.size(), static_cast<size_t>(pages));
    }
  }
}

}  // namespace
}  // namespace halftoned
