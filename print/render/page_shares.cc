// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/page_shares.h"

#include <algorithm>
#include <cmath>

namespace halftoned {
namespace {

// Ghostscript takes options of less than 2,048 bytes.
constexpr size_t kMostText = 1500;

constexpr double kHardlyLonger = 1.05;

// A renderer takes as long to start as for two pages of text or more. With less
// work than four of them for each, several would cost more than they save.
constexpr double kLeastWorkEach = 80;

bool HasNoGray(const PageWork& page) { return page.black.has_value(); }

// Divides the renderers in proportion to the work for gray and black pages.
PageShares::Renderers Divided(const std::vector<PageWork>& pages, int count) {
  double gray = 0, black = 0;
  for (const PageWork& page : pages) {
    (HasNoGray(page) ? black : gray) += page.black.value_or(page.gray);
  }
  const int for_black =
      std::clamp(static_cast<int>(std::lround(count * black / (gray + black))),
                 1, count - 1);
  return {count - for_black, for_black};
}

}  // namespace

PageShares::PageShares(const std::vector<PageWork>& pages,
                       const Renderers& renderers)
    : renderers_(renderers) {
  std::vector<double> sums(static_cast<size_t>(renderers.count()));
  const auto black = sums.begin() + renderers.gray;
  for (const PageWork& page : pages) {
    const bool is_for_black = HasNoGray(page) && renderers.black > 0;
    const auto least = is_for_black ? std::min_element(black, sums.end())
                                    : std::min_element(sums.begin(), black);
    *least += is_for_black ? *page.black : page.gray;
    renderer_of_.push_back(static_cast<int>(least - sums.begin()));
  }
  longest_ = std::ranges::max(sums);
}

PageShares::Renderers PageShares::BestOf(const std::vector<PageWork>& pages,
                                         int count) {
  if (std::ranges::all_of(pages, HasNoGray)) return {0, count};
  const Renderers gray{count, 0};
  if (count == 1 || std::ranges::none_of(pages, HasNoGray)) return gray;
  const Renderers divided = Divided(pages, count);
  return PageShares(pages, divided).longest_ < PageShares(pages, gray).longest_
             ? divided
             : gray;
}

int PageShares::UsefulFor(const std::vector<PageWork>& pages, int most) {
  double work = 0;
  for (const PageWork& page : pages) work += page.black.value_or(page.gray);
  const double of_use =
      std::min({work / kLeastWorkEach, static_cast<double>(pages.size()),
                static_cast<double>(most)});
  return BestFor(pages, std::max(1, static_cast<int>(of_use))).count();
}

PageShares::Renderers PageShares::BestFor(const std::vector<PageWork>& pages,
                                          int most) {
  Renderers best = BestOf(pages, most);
  const double enough = kHardlyLonger * PageShares(pages, best).longest_;
  for (int count = most - 1; count > 0; --count) {
    const Renderers fewer = BestOf(pages, count);
    if (PageShares(pages, fewer).longest_ > enough) break;
    best = fewer;
  }
  return best;
}

std::vector<PageShares::List> PageShares::ListsOf(int renderer,
                                                  int64_t first) const {
  std::vector<List> lists;
  for (int64_t page = 1; page <= pages(); ++page) {
    if (RendererOf(page) != renderer) continue;
    if (lists.empty() || lists.back().text.size() > kMostText) {
      lists.push_back({InkOf(renderer), {}, {}});
    }
    List& list = lists.back();
    if (!list.text.empty()) list.text += ',';
    const int64_t number = first + page - 1;
    list.text += std::to_string(number);
    list.pages.push_back(number);
  }
  return lists;
}

}  // namespace halftoned
