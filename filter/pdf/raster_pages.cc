// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/raster_pages.h"

#include "filter/pdf/encoded_pages.h"
#include "print/raster/raster_input.h"

namespace halftoned {

Result<void> RasterPages::Print(const PageShares::List& list,
                                PolledInput& drawn, PageQueue& queue) {
  HALFTONED_TRY_ASSIGN(RasterInput raster, RasterInput::Open(drawn));
  EncodedPages pages(settings_.format, queue);
  for (const int64_t page : list.pages) {
    HALFTONED_TRY_ASSIGN(const auto header, raster.NextHeader());
    // Ghostscript makes nothing after a page that it does not find; so it is
    // always the last ones that are missing.
    if (!header) return Unavailable("the renderer omitted pages");
    // It counts its own pages for that.
    if (NumberIn(header->Duplex) != 0 &&
        settings_.back_side != BackSide::kNormal) {
      return Unavailable("back sides are rotated or mirrored");
    }
    HALFTONED_TRY(halftoner_.Print(raster, drawn, *header, page, pages));
  }
  HALFTONED_TRY_ASSIGN(const auto more, raster.NextHeader());
  if (more) return Unavailable("the renderer added a page");
  return {};
}

}  // namespace halftoned
