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
  // Nothing unless the text is a list of pages, counted from 1, in rising
  // order.
  static std::optional<PageRanges> Parse(std::string_view text);

  bool Has(int64_t page) const;
  // As Parse reads it; empty for all pages.
  std::string text() const;
  bool are_all() const { return ranges_.empty(); }
  // The first and the last that are asked for; 1 and kEnd, if all are.
  int64_t first() const { return are_all() ? 1 : ranges_.front().first; }
  int64_t last() const { return are_all() ? kEnd : ranges_.back().last; }

  // The first page from `page` on that is asked for and must exist; in a range
  // without an end, only its first page must. 0: none.
  int64_t NextNeeded(int64_t page) const;

 private:
  struct Range {
    int64_t first;
    int64_t last;
  };
  std::vector<Range> ranges_;
};

}  // namespace halftoned
