// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where finished pages go: straight to the next program of the job, or into
// memory until it is their turn.

#ifndef HALFTONED_PRINT_PAGE_PAGE_OUTPUT_H_
#define HALFTONED_PRINT_PAGE_PAGE_OUTPUT_H_

#include <cstddef>
#include <span>

#include "base/result.h"
#include "print/raster/raster_header.h"

namespace halftoned {

class PageOutput {
 public:
  virtual ~PageOutput() = default;

  virtual Result<void> BeginPage(const PageHeader& header) = 0;

  // `rows`: a whole number of the page's rows, at most 2³¹ bytes.
  virtual Result<void> WriteRows(std::span<const std::byte> rows) = 0;
};

}  // namespace halftoned

#endif  // HALFTONED_PRINT_PAGE_PAGE_OUTPUT_H_
