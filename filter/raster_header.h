// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page header of CUPS and PWG raster, under our name for it, so that the
// few files that read its fields share one include.

#ifndef HALFTONED_FILTER_RASTER_HEADER_H_
#define HALFTONED_FILTER_RASTER_HEADER_H_

#include <cups/raster.h>

namespace halftoned {

using PageHeader = cups_page_header2_t;

}  // namespace halftoned

#endif  // HALFTONED_FILTER_RASTER_HEADER_H_
