// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPS raster (version 3) or PWG raster, written through libcups. Nothing is
// written before the first page, and each write is of whole rows.

#ifndef HALFTONED_FILTER_RASTER_OUTPUT_H_
#define HALFTONED_FILTER_RASTER_OUTPUT_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "base/result.h"
#include "filter/page_output.h"
#include "filter/polled_io.h"
#include "filter/raster_header.h"

namespace halftoned {

enum class RasterFormat { kCups, kPwg };

class RasterOutput : public PageOutput {
 public:
  // `output` outlives it.
  RasterOutput(PolledOutput& output, RasterFormat format);
  RasterOutput(const RasterOutput&) = delete;
  RasterOutput& operator=(const RasterOutput&) = delete;

  Result<void> BeginPage(const PageHeader& header) override;

  // Once the job is stopping, fails after a whole row.
  Result<void> WriteRows(std::span<const std::byte> rows) override;

 private:
  struct Outlet {
    PolledOutput& output;
    size_t row_bytes;  // 0: each write is one row, or a header
    std::optional<Error> error;
  };
  struct Closer {
    void operator()(cups_raster_t* raster) const { cupsRasterClose(raster); }
  };

  static ssize_t WriteForCups(void* outlet, unsigned char* bytes, size_t size);
  Error WhatWentWrong() const;

  Outlet outlet_;
  const RasterFormat format_;
  std::unique_ptr<cups_raster_t, Closer> raster_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_RASTER_OUTPUT_H_
