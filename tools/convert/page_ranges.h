// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages that --pages asks for.
//
//   ranges = range { "," range }
//   range  = number [ "-" [ number ] ]

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halftoned {

class PageRanges {
 public:
  static constexpr int64_t kEnd = std::numeric_limits<int32_t>::max();

  // All pages.
  PageRanges() = default;
  // Nothing unless the text is a list of pages in rising order, counted from 1.
  static std::optional<PageRanges> Parse(std::string_view text);

  bool Has(int64_t page) const;
  // The text that Parse reads; empty for all pages.
  std::string text() const;
  bool are_all() const { return ranges_.empty(); }
  // The first and the last selected page; 1 and kEnd if all are selected.
  int64_t first() const { return are_all() ? 1 : ranges_.front().first; }
  int64_t last() const { return are_all() ? kEnd : ranges_.back().last; }

  // The first selected page from `page` on that must exist; 0 if there is none.
  // In a range without an end, only the first page must exist.
  int64_t NextNeeded(int64_t page) const;

 private:
  struct Range {
    int64_t first;
    int64_t last;
  };
  std::vector<Range> ranges_;
};

}  // namespace halftoned
