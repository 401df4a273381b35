// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of a PDF document, as libqpdf sees them. Only this file knows PDF.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "print/ppd/queue.h"
#include "print/render/page_shares.h"

namespace halftoned {

struct PdfPages {
  std::vector<PageWork> pages;  // in milliseconds, roughly
  // Why a renderer that draws only some of the pages may draw them differently
  // from one that draws all. Empty if it draws them in the same way: the
  // document is sound, and its pages have the size of the job's paper, as made
  // by pdftopdf.
  std::string why_whole;

  bool is_black() const;  // all pages are
};

// may_be_black: if false, no page is examined for its colors. An error if
// libqpdf cannot list the pages, or if they are encrypted.
Result<PdfPages> PagesOf(const std::string& path,
                         const std::optional<PaperSize>& paper,
                         bool may_be_black);

}  // namespace halftoned
