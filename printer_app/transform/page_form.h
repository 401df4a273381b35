// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of the pages of a job: raster type, resolution, paper, and the
// headers of front and back sides.

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_PAGE_FORM_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_PAGE_FORM_H_

#include <cups/raster.h>

#include <optional>
#include <vector>

#include "base/result.h"
#include "printer_app/documents/sheet_place.h"
#include "printer_app/transform/transform_order.h"

namespace halftoned {

struct RasterType {
  const char* name;    // as in pwg-raster-document-type-supported
  const char* device;  // of Ghostscript, which draws what it is made from
  unsigned samples;    // of a pixel
  bool is_gray;
  bool has_ink;  // 255 is ink; else light
};

struct PageRange {
  unsigned first;
  unsigned last;
};

struct PageForm {
  const RasterType* type;
  bool is_halftoned;  // by us
  cups_page_header2_t front;
  cups_page_header2_t back;
  SheetPaper paper;
  PageFit fit;
  std::optional<int> turns;
  unsigned copies;
  bool is_collated;               // copies: the document is sent so many times
  std::vector<PageRange> ranges;  // none: all pages
};

// Of documents that have to be drawn. A job that will have a single page is not
// two-sided, which is for the caller to know: OneSided.
Result<PageForm> FormOfJob(const TransformOrder& order);

// print-color-mode asks for no tones.
bool IsBiLevel(const Attributes& attributes);

void MakeOneSided(PageForm& form);

// Of raster, by its first page's header: its paper and resolution are its own.
Result<PageForm> FormOfRaster(const TransformOrder& order,
                              const cups_page_header2_t& header);

// A header of the form for a page of raster of any size.
cups_page_header2_t HeaderFor(const cups_page_header2_t& page,
                              cups_page_header2_t header);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_PAGE_FORM_H_
