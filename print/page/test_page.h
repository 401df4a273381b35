// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page of `halftone test-page`, as a PDF document: words, and below them
// patterns that show how a printer prints: a wedge of grays, a gradient, thin
// lines and small text. Pure; knows no queues.

#pragma once

#include <string>
#include <vector>

namespace halftoned {

struct PageSize {
  double width = 595;  // points; A4
  double height = 842;
};

// words: a title, and up to kMostLines lines, which are cut off at the edge of
// the page. Characters outside ASCII become "?".
std::string TestPage(const std::vector<std::string>& words,
                     const PageSize& size);
inline constexpr size_t kMostLines = 30;

}  // namespace halftoned
