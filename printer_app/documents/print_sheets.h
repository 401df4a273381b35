// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a document of sheets (pdf_sheets.h). Several renderers work in
// parallel, but pages are printed in order. If a renderer is lost, its page is
// drawn again, without the rows that the printer already has.

#pragma once

#include <pappl/pappl.h>

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "printer_app/documents/job_renderers.h"
#include "printer_app/documents/job_room.h"
#include "printer_app/documents/sheet_pages.h"

namespace halftoned {

class SheetPrinter {
 public:
  // All arguments outlive the printer. The job has been started. memory: for
  // sheets that wait. patience: while the disk is full.
  SheetPrinter(pappl_job_t* job, const pappl_pr_options_t& options,
               pappl_device_t* device, const SheetForm& form,
               const LaneOrder& order, Renderers& renderers, PageMemory& memory,
               RoomPatience& patience);

  // Prints all copies. If the job is canceled, the current page is the last
  // one. Returns an error if the job has failed or was canceled; the message is
  // empty if the log need not say why.
  Result<void> Print(const std::vector<PageWork>& pages);

 private:
  Result<void> PrintCopies(const std::vector<PageWork>& pages);
  Result<void> PrintCopy(const std::vector<PageWork>& pages);
  // Prints the pages from `first` on with this many renderers. At the end,
  // `first` is the page to print next.
  Result<void> PrintPages(const std::vector<PageWork>& pages, int renderers,
                          int64_t& first);
  // Prints the rest of the lane's current page.
  Result<void> PrintPage(PageQueue& queue);
  Result<void> PrintBlank();
  Result<void> StartPage();
  Result<void> EndPage(bool is_complete);

  pappl_job_t* const job_;
  const pappl_pr_options_t& options_;
  pappl_device_t* const device_;
  const SheetForm& form_;
  const LaneOrder& order_;
  Renderers& renderers_;
  PageMemory& memory_;
  RoomPatience& patience_;
  bool is_in_page_ = false;
  int64_t rows_done_ = 0;  // of the current page
};

}  // namespace halftoned
