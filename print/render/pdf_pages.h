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
  // Why a renderer that is given some of the pages may make other ones of them
  // than one that is given all. It makes the same, and this is empty, if the
  // document is sound and its pages have the size of the job's paper, as
  // pdftopdf makes them.
  std::string why_whole;

  bool is_black() const;  // all pages are
};

// may_be_black: otherwise no page is looked into for its colors. An error if
// libqpdf does not tell the pages, or if they are encrypted.
Result<PdfPages> PagesOf(const std::string& path,
                         const std::optional<PaperSize>& paper,
                         bool may_be_black);

}  // namespace halftoned
