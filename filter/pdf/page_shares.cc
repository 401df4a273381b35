// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/page_shares.h"

namespace halftoned {
namespace {

// Ghostscript takes options of less than 2,048 bytes.
constexpr size_t kMostText = 1500;

}  // namespace

std::vector<PageShares::List> PageShares::ListsOf(int renderer) const {
  std::vector<List> lists;
  for (int64_t first = 1 + 2 * renderer; first <= pages_;
       first += 2 * renderers_) {
    if (lists.empty() || lists.back().text.size() > kMostText) {
      lists.emplace_back();
    }
    List& list = lists.back();
    if (!list.text.empty()) list.text += ',';
    list.text += std::to_string(first);
    list.pages.push_back(first);
    if (first == pages_) break;
    list.text += '-' + std::to_string(first + 1);
    list.pages.push_back(first + 1);
  }
  return lists;
}

}  // namespace halftoned
