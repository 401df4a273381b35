// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where finished pages go: directly to the next program of the job, or into
// memory until it is their turn.

#pragma once

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
