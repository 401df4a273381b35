// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ghostscript's arguments if we choose the size of pages. Pure.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halftoned {

struct Drawing {
  const char* device;  // such as pgmraw
  double dots_across;  // per inch
  double dots_down;
  int64_t first_page = 1;
  std::optional<int64_t> last_page = {};
  bool is_eps = false;  // the page is as large as the picture
  // Width and height that pages are fitted into, in points; otherwise they keep
  // their own.
  std::optional<std::pair<double, double>> fit = {};
  // Width and height of each page in pixels, regardless of its stated size.
  std::optional<std::pair<int64_t, int64_t>> pixels = {};
  // The size of pages that do not state theirs, in points.
  std::optional<std::pair<double, double>> usual_size = {};
};

std::vector<std::string> WordsFor(const Drawing& drawing);

// Ghostscript draws pages of up to this many bytes whole, as in CUPS. It draws
// larger ones in bands, and processes the page again for each band.
inline constexpr int64_t kMostOfWholePage = 134217728;

}  // namespace halftoned
