// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/page_shares.h"

#include <algorithm>

namespace halftoned {
namespace {

// Ghostscript takes options of less than 2,048 bytes.
constexpr size_t kMostText = 1500;

constexpr double kHardlyLonger = 1.05;

}  // namespace

PageShares::PageShares(const std::vector<double>& work, int renderers)
    : renderers_(renderers) {
  std::vector<double> sums(static_cast<size_t>(renderers));
  for (const double of_page : work) {
    const auto least = std::ranges::min_element(sums);
    *least += of_page;
    renderer_of_.push_back(static_cast<int>(least - sums.begin()));
  }
  longest_ = std::ranges::max(sums);
}

int PageShares::FewestFor(const std::vector<double>& work, int most) {
  const double enough = kHardlyLonger * PageShares(work, most).longest_;
  while (most > 1 && PageShares(work, most - 1).longest_ <= enough) --most;
  return most;
}

std::vector<PageShares::List> PageShares::ListsOf(int renderer) const {
  std::vector<List> lists;
  for (int64_t page = 1; page <= pages(); ++page) {
    if (RendererOf(page) != renderer) continue;
    if (lists.empty() || lists.back().text.size() > kMostText) {
      lists.emplace_back();
    }
    List& list = lists.back();
    if (!list.text.empty()) list.text += ',';
    list.text += std::to_string(page);
    list.pages.push_back(page);
  }
  return lists;
}

}  // namespace halftoned
