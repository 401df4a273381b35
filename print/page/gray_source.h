// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of one raster page as gray light, for the flow. Gray is read
// directly into the room that the session lends, colors through a buffer.

#ifndef HALFTONED_PRINT_PAGE_GRAY_SOURCE_H_
#define HALFTONED_PRINT_PAGE_GRAY_SOURCE_H_

#include <cstdint>
#include <vector>

#include "halftone/run/flow.h"
#include "print/raster/raster_form.h"
#include "print/raster/raster_input.h"

namespace halftoned {

class GraySource : public Source {
 public:
  // Reads the page of `form` from `raster`, which fetches from `input`; both
  // outlive it.
  GraySource(RasterInput& raster, PolledInput& input, const RasterForm& form)
      : raster_(raster), input_(input), form_(form), rows_left_(form.rows) {}

  Result<Filled> Read(GrayRoom room) override;
  void Cancel() override { input_.Cancel(); }

 private:
  Result<void> ReadGray(GrayRoom room);
  Result<void> ReadColour(GrayRoom room);

  RasterInput& raster_;
  PolledInput& input_;
  const RasterForm form_;
  int64_t rows_left_;
  std::vector<std::byte> line_;  // one raster row with colors
};

}  // namespace halftoned

#endif  // HALFTONED_PRINT_PAGE_GRAY_SOURCE_H_
