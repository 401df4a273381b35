// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/page_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace halftoned {
namespace {

using Pages = std::vector<PageWork>;
using Renderers = PageShares::Renderers;

const PageWork kGrayPage{20, {}};
const PageWork kBlackPage{20, 7};

std::pair<int, int> Best(const Pages& pages, int most) {
  const Renderers best = PageShares::BestFor(pages, most);
  return {best.gray, best.black};
}

TEST(PageShares, RenderersTakeEqualPagesInTurn) {
  const PageShares shares(Pages(5, kGrayPage), {2, 0});
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
  Pages pages;
  for (int i = 0; i < 40; ++i) pages.push_back({i % 2 == 0 ? 20.0 : 200.0, {}});
  const PageShares shares(pages, {2, 0});
  double sums[2] = {};
  for (int64_t page = 1; page <= 40; ++page) {
    sums[shares.RendererOf(page)] += pages[static_cast<size_t>(page - 1)].gray;
  }
  EXPECT_LE(std::max(sums[0], sums[1]) - std::min(sums[0], sums[1]), 200);
}

TEST(PageShares, ThereAreNoMoreRenderersThanMakeItFaster) {
  EXPECT_EQ(Best(Pages(20, {168, {}}), 16), std::pair(10, 0));
  EXPECT_EQ(Best(Pages(16, {168, {}}), 16), std::pair(16, 0));
  EXPECT_EQ(Best(Pages(100, kGrayPage), 4), std::pair(4, 0));
  EXPECT_EQ(Best({{1000, {}}, kGrayPage, kGrayPage, kGrayPage}, 4),
            std::pair(2, 0));
  EXPECT_EQ(Best({kGrayPage}, 8), std::pair(1, 0));
  EXPECT_EQ(Best(Pages(100, kBlackPage), 4), std::pair(0, 4));
}

TEST(PageShares, ARendererHasEnoughWorkToBeWorthStarting) {
  EXPECT_EQ(PageShares::UsefulFor(Pages(3, {10, {}}), 8), 1);
  EXPECT_EQ(PageShares::UsefulFor(Pages(40, {10, {}}), 8), 5);
  EXPECT_EQ(PageShares::UsefulFor(Pages(40, {10, {}}), 2), 2);
  EXPECT_EQ(PageShares::UsefulFor({{1000, {}}}, 8), 1);
}

TEST(PageShares, BlackPagesHaveRenderersOfTheirOwnWhereThatIsFaster) {
  // Text with a photograph here and there.
  Pages pages(40, kBlackPage);
  for (size_t i = 0; i < pages.size(); i += 10) pages[i] = {180, {}};
  EXPECT_EQ(Best(pages, 4), std::pair(2, 1));
  EXPECT_EQ(Best(pages, 1), std::pair(1, 0));
  const PageShares shares(pages, {2, 1});
  for (int64_t page = 1; page <= shares.pages(); ++page) {
    EXPECT_EQ(shares.InkOf(shares.RendererOf(page)),
              page % 10 == 1 ? PageInk::kGray : PageInk::kBlack);
  }
  EXPECT_EQ(shares.ListsOf(2)[0].ink, PageInk::kBlack);

  // Photographs, and two pages of text.
  Pages photographs(20, {180, {}});
  photographs[0] = photographs[10] = kBlackPage;
  EXPECT_EQ(Best(photographs, 2), std::pair(2, 0));
}

TEST(PageShares, EachPageHasOneRendererAndItsPlace) {
  for (const int renderers : {1, 2, 3, 16}) {
    for (const size_t pages : {1, 2, 31, 5000}) {
      const PageShares shares(Pages(pages, kBlackPage), {0, renderers});
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
