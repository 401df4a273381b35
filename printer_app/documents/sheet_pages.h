// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of a lane: sheets of one size, whose ink is halftoned gray, or bits
// as drawn by Ghostscript.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "print/page/gray_page.h"
#include "print/raster/raster_bytes.h"
#include "print/render/lane.h"

namespace halftoned {

// The pages of Ghostscript's devices pgmraw and pbmraw, from its pipe, as 8-bit
// light. A renderer writes row by row, so rows are gathered in the pipe, as by
// the filter (polled_io.h).
//
//   page = ("P5" | "P4") "\n" { "#" … "\n" } width " " height "\n"
//          [ "255" "\n" ] rows       the highest value, of P5
class PnmPages {
 public:
  // `pages` outlives it. width, rows: of each page.
  PnmPages(PolledInput& pages, int64_t width, int64_t rows);

  // Whether there is another page. All rows of the previous page must have been
  // read.
  Result<bool> Next();

  // Whether this page is bits: 1 is ink, and bits beyond the width are 0.
  bool is_ink() const { return is_ink_; }
  size_t bytes_per_row() const { return is_ink_ ? (width_ + 7) / 8 : width_; }

  // A whole number of rows.
  Result<void> Read(std::span<std::byte> rows);

 private:
  Result<std::string> Line();

  RasterBytes bytes_;
  const size_t width_;
  const std::string size_;
  bool is_ink_ = false;
};

// State that the lanes of a job share.
struct SheetForm {
  int64_t width;  // of each page, in dots
  int64_t rows;
  double dots_per_inch;
  PrintLook look;
};

// The document comes from PdfSheets. All arguments outlive the order. warn: for
// the job's log.
LaneOrder OrderFor(const SheetForm& form, int document,
                   const std::string& folder, const MessageLog& warn);

class SheetPages : public LanePages {
 public:
  // Both outlive the pages.
  SheetPages(const SheetForm& form, JobEngines& engines)
      : form_(form), engines_(engines) {}

  Result<void> Print(const PageShares::List& list, PolledInput& drawn,
                     PageQueue& queue) override;

 private:
  Result<void> PrintGray(PnmPages& pages, PageQueue& queue);
  // Prints dots that are already black and white, which every halftone type
  // leaves unchanged.
  Result<void> PrintInk(PnmPages& pages, PageQueue& queue);
  Result<void> Flush(PageQueue& queue);

  const SheetForm& form_;
  JobEngines& engines_;
  PageQueue::Rows ink_;  // since the last Flush
};

}  // namespace halftoned
