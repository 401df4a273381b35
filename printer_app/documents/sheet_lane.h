// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One renderer's share of a document: a thread that starts the renderer and
// halftones its pages, and puts their ink into a queue until it is their turn.

#ifndef HALFTONED_PRINTER_APP_DOCUMENTS_SHEET_LANE_H_
#define HALFTONED_PRINTER_APP_DOCUMENTS_SHEET_LANE_H_

#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "print/page/gray_page.h"
#include "print/render/page_queue.h"
#include "print/render/page_shares.h"
#include "printer_app/documents/pnm_pages.h"
#include "printer_app/documents/renderers.h"

namespace halftoned {

// What the lanes of a job share.
struct SheetForm {
  std::string document;  // a path: PdfSheets
  int64_t width;         // of each page, in dots
  int64_t rows;
  double dots_per_inch;
  PrintLook look;
};

class SheetLane {
 public:
  // All but the lists outlive it. most_bytes: of ink that waits. Throws
  // std::system_error if the system cannot start a thread.
  SheetLane(const SheetForm& form, Renderers& renderers, JobEngines& engines,
            std::vector<PageShares::List> lists, size_t most_bytes);
  // Its renderer ends with the queue, which it cannot put anything in.
  ~SheetLane();

  // The end that follows the pages says why there are no more of them.
  PageQueue& queue() { return queue_; }

 private:
  void Work();
  Result<void> PrintList(const PageShares::List& list);
  Result<void> PrintPages(const PageShares::List& list, PnmPages& pages);
  Result<void> PrintPage(PnmPages& pages);
  Result<void> PrintGray(PnmPages& pages);
  // Dots that are black and white as they are, as in each type of halftone.
  Result<void> PrintInk(PnmPages& pages);
  Result<void> Flush();

  const SheetForm& form_;
  Renderers& renderers_;
  JobEngines& engines_;
  const std::vector<PageShares::List> lists_;
  PageQueue queue_;
  PageQueue::Rows ink_;  // since the last Flush
  std::thread thread_;
};

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_DOCUMENTS_SHEET_LANE_H_
