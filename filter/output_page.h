// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of the page that is written, and where the halftoned rows lie on
// it. Pure.
//
// CUPS raster: the page as it came. PWG raster: the whole sheet, as
// cupsRasterInitPWGHeader makes it; the imaging box of the header says where on
// it the rows lie, and white is added or rows and columns are cut off at the
// right and at the bottom. The renderer has already turned the back of a sheet
// as cupsBackSide asks, and the printer turns it back, so that there it is the
// left, the top, or both.

#ifndef HALFTONED_FILTER_OUTPUT_PAGE_H_
#define HALFTONED_FILTER_OUTPUT_PAGE_H_

#include "base/result.h"
#include "filter/placement.h"
#include "filter/raster_form.h"
#include "filter/raster_header.h"
#include "halftone/levels.h"

namespace halftoned {

// cupsBackSide: how a printer wants the back of a sheet.
enum class BackSide { kNormal, kFlipped, kRotated, kManualTumble };

struct OutputPage {
  PageHeader header;
  Placement placement;
};

// 1-bit K, or 2 or 4 bits for more levels; the rest of the header is a copy.
OutputPage CupsPage(const PageHeader& header, const RasterForm& form,
                    const Levels& levels);

// PWG black_1. `on_back`: this is the second page of a sheet.
Result<OutputPage> PwgPage(const PageHeader& header, const RasterForm& form,
                           BackSide back_side, bool on_back);

}  // namespace halftoned

#endif  // HALFTONED_FILTER_OUTPUT_PAGE_H_
