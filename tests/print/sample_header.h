// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A valid page header for tests to vary.

#pragma once

#include "print/raster/raster_header.h"

namespace halftoned {

// A4 at 600 dpi, without margins, in 8-bit sW.
inline PageHeader SampleHeader(unsigned width = 4958, unsigned height = 7017) {
  PageHeader header = {};
  header.HWResolution[0] = header.HWResolution[1] = 600;
  header.PageSize[0] = 595;
  header.PageSize[1] = 842;
  header.cupsPageSize[0] = 595;
  header.cupsPageSize[1] = 842;
  header.cupsWidth = width;
  header.cupsHeight = height;
  header.cupsBitsPerColor = header.cupsBitsPerPixel = 8;
  header.cupsBytesPerLine = width;
  header.cupsColorSpace = CUPS_CSPACE_SW;
  header.cupsNumColors = 1;
  return header;
}

}  // namespace halftoned
