// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of the flow: halftoned rows, placed and inked, into the raster that
// is written.

#ifndef HALFTONED_FILTER_PAGE_SINK_H_
#define HALFTONED_FILTER_PAGE_SINK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "filter/placement.h"
#include "filter/raster_output.h"
#include "halftone/flow.h"

namespace halftoned {

class PageSink : public Sink {
 public:
  // Called after every band with the rows taken so far.
  using Progress = std::function<void(int64_t rows)>;

  // The page has been begun in `output`, which outlives this.
  PageSink(RasterOutput& output, const Placement& placement, Progress progress)
      : output_(output),
        placement_(placement),
        progress_(std::move(progress)) {}

  Result<void> Write(const BitBand& bits) override;

  // Writes the paper below the last row.
  Result<void> Finish();

 private:
  // White rows until `row` of the page that is written.
  Result<void> PadTo(int64_t row);

  RasterOutput& output_;
  const Placement placement_;
  const Progress progress_;
  int64_t written_ = 0;         // rows of the page that is written
  std::vector<std::byte> ink_;  // of a band
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PAGE_SINK_H_
