// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of a lane: raster, which is halftoned and encoded for the printer.

#ifndef HALFTONED_FILTER_PDF_RASTER_PAGES_H_
#define HALFTONED_FILTER_PDF_RASTER_PAGES_H_

#include "filter/program.h"
#include "print/page/page_halftoner.h"
#include "print/render/lane.h"

namespace halftoned {

class RasterPages : public LanePages {
 public:
  // Both outlive it.
  RasterPages(const Settings& settings, const Engine& engine)
      : settings_(settings), halftoner_(settings, engine) {}

  Result<void> Print(const PageShares::List& list, PolledInput& drawn,
                     PageQueue& queue) override;

 private:
  const Settings& settings_;
  PageHalftoner halftoner_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PDF_RASTER_PAGES_H_
