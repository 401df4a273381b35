// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of the output page, and the position of the halftoned rows on it.
// Pure.
//
// CUPS raster: the page as received. PWG raster: the whole sheet, as
// cupsRasterInitPWGHeader makes it. The imaging box of the header gives the
// place of the rows; white is added, or rows and columns are cut off, at the
// right and at the bottom. On the back of a sheet this happens at the left, at
// the top, or both: the renderer has already turned the back as cupsBackSide
// asks, and the printer turns it again.

#pragma once

#include "base/result.h"
#include "halftone/page/levels.h"
#include "print/raster/placement.h"
#include "print/raster/raster_form.h"
#include "print/raster/raster_header.h"

namespace halftoned {

// cupsBackSide: how a printer expects the back of a sheet.
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
