// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/job.h"

#include <string>

namespace halftoned {

Error OnPage(int64_t page, const Error& error) {
  // An error of the whole job does not name a page.
  if (error.code == ErrorCode::kIo) return error;
  return {error.code, "page " + std::to_string(page) + ": " + error.message};
}

Result<void> Job::Print(PolledInput& input, int64_t dropped) {
  HALFTONED_TRY_ASSIGN(RasterInput raster, RasterInput::Open(input));
  HALFTONED_TRY(FinishSheet());
  page_of_copy_ = 0;
  for (;;) {
    ++page_;
    const auto header = raster.NextHeader();
    if (!header.ok()) return OnPage(page_, header.error());
    if (!*header) {
      --page_;
      if (page_of_copy_ == 0) {
        return BadInput("nothing to print: the raster has no pages");
      }
      return {};
    }
    ++page_of_copy_;
    const Result<void> printed =
        page_of_copy_ <= dropped
            ? halftoner_.Drop(raster, **header)
            : halftoner_.Print(raster, input, **header, page_of_copy_, output_);
    if (!printed.ok()) return OnPage(page_, printed.error());
    last_header_ = **header;
  }
}

Result<void> Job::FinishSheet() {
  if (page_of_copy_ % 2 == 0 || NumberIn(last_header_.Duplex) == 0) return {};
  ++page_;
  ++page_of_copy_;
  return halftoner_.PrintWhite(last_header_, page_of_copy_, output_);
}

}  // namespace halftoned
