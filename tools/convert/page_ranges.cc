// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/page_ranges.h"

#include <algorithm>

#include "base/text.h"

namespace halftoned {
namespace {

// Removes a page number from the start of `text`, and returns it; 0 if there is
// none.
int64_t TakePage(std::string_view& text) {
  const auto number = TakeNumber<int64_t>(text);
  return number >= 1 && number < PageRanges::kEnd ? *number : 0;
}

}  // namespace

std::optional<PageRanges> PageRanges::Parse(std::string_view text) {
  PageRanges pages;
  for (;;) {
    const int64_t first = TakePage(text);
    int64_t last = first;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      last = text.empty() ? kEnd : TakePage(text);
    }
    const int64_t before = pages.are_all() ? 0 : pages.last();
    if (first <= before || last < first) return std::nullopt;
    pages.ranges_.push_back({first, last});
    if (text.empty()) return pages;
    if (!text.starts_with(',')) return std::nullopt;
    text.remove_prefix(1);
  }
}

bool PageRanges::Has(int64_t page) const {
  return are_all() || std::ranges::any_of(ranges_, [=](const Range& range) {
           return page >= range.first && page <= range.last;
         });
}

std::string PageRanges::text() const {
  std::string text;
  for (const Range& range : ranges_) {
    if (!text.empty()) text += ',';
    text += std::to_string(range.first) + '-';
    if (range.last != kEnd) text += std::to_string(range.last);
  }
  return text;
}

int64_t PageRanges::NextNeeded(int64_t page) const {
  for (const Range& range : ranges_) {
    if (page <= range.first) return range.first;
    if (page <= range.last && range.last != kEnd) return page;
  }
  return 0;
}

}  // namespace halftoned
