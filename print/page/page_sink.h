// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of the flow: places halftoned rows on the page, converts them to ink
// and writes them.

#ifndef HALFTONED_PRINT_PAGE_PAGE_SINK_H_
#define HALFTONED_PRINT_PAGE_PAGE_SINK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/run/flow.h"
#include "print/page/page_output.h"
#include "print/raster/placement.h"

namespace halftoned {

class PageSink : public Sink {
 public:
  // Precondition: the page has been begun in `output`, which outlives this.
  PageSink(PageOutput& output, const Placement& placement)
      : output_(output), placement_(placement) {}

  Result<void> Write(const BitBand& bits) override;

  // Writes the paper below the last row.
  Result<void> Finish();

 private:
  // Writes white rows up to `row` of the output page.
  Result<void> PadTo(int64_t row);

  PageOutput& output_;
  const Placement placement_;
  int64_t written_ = 0;         // rows of the output page
  std::vector<std::byte> ink_;  // of a band
};

}  // namespace halftoned

#endif  // HALFTONED_PRINT_PAGE_PAGE_SINK_H_
