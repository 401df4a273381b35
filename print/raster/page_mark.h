// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mark in the OutputType of page headers: the page is Ghostscript's, which
// has taken the options that pdftohalftone gives it in GS_OPTIONS, this mark
// among them. A page without it comes from a renderer that does not hand the
// variable on, or is not Ghostscript, or from a driver that has an OutputType.

#ifndef HALFTONED_PRINT_RASTER_PAGE_MARK_H_
#define HALFTONED_PRINT_RASTER_PAGE_MARK_H_

#include <cstdint>

#include "print/raster/raster_header.h"

namespace halftoned {

enum class PageMark : uint8_t {
  kNone,
  kRendered,  // the black of CMYK is 0 (halftone/look/gray/cmyk_profile.h)
  kListed     // the same, of a renderer that has a list of pages
};

inline constexpr char kRenderedMark[] = "halftoned";
inline constexpr char kListedMark[] = "halftoned-pages";

PageMark MarkOf(const PageHeader& header);
PageHeader WithoutMark(const PageHeader& header);

}  // namespace halftoned

#endif  // HALFTONED_PRINT_RASTER_PAGE_MARK_H_
