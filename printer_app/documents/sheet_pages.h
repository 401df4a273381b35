// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of a lane: sheets of one size, whose ink is halftoned gray, or as
// Ghostscript painted it.

#pragma once

#include "base/result.h"
#include "print/page/gray_page.h"
#include "print/render/lane.h"
#include "printer_app/documents/pnm_pages.h"

namespace halftoned {

// State that the lanes of a job share.
struct SheetForm {
  int64_t width;  // of each page, in dots
  int64_t rows;
  double dots_per_inch;
  PrintLook look;
};

// The document is PdfSheets'; all that is named outlives the order.
LaneOrder OrderFor(const SheetForm& form, int document,
                   const std::string& folder);

class SheetPages : public LanePages {
 public:
  // Both outlive it.
  SheetPages(const SheetForm& form, JobEngines& engines)
      : form_(form), engines_(engines) {}

  Result<void> Print(const PageShares::List& list, PolledInput& drawn,
                     PageQueue& queue) override;

 private:
  Result<void> PrintGray(PnmPages& pages, PageQueue& queue);
  // Dots that are black and white as they are, as in each type of halftone.
  Result<void> PrintInk(PnmPages& pages, PageQueue& queue);
  Result<void> Flush(PageQueue& queue);

  const SheetForm& form_;
  JobEngines& engines_;
  PageQueue::Rows ink_;  // since the last Flush
};

}  // namespace halftoned
