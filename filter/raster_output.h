// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPS raster (version 3), PWG raster or Apple's URF, written through libcups.
// Nothing is written before the first page, and each write is of whole rows.
//
// Some printers take only gray of 8 bits: PWG raster's sgray_8, or URF, which
// has no bits. They get black dots as 0 and white ones as 255, which a
// printer's own halftone leaves as they are.

#ifndef HALFTONED_FILTER_RASTER_OUTPUT_H_
#define HALFTONED_FILTER_RASTER_OUTPUT_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "filter/page_output.h"
#include "filter/polled_io.h"
#include "filter/raster_header.h"

namespace halftoned {

enum class RasterFormat { kCups, kPwg, kPwgGray, kUrf };

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

  bool expands() const {
    return format_ == RasterFormat::kPwgGray || format_ == RasterFormat::kUrf;
  }
  // Makes gray_ of rows of bits.
  void Expand(std::span<const std::byte> rows);

  static ssize_t WriteForCups(void* outlet, unsigned char* bytes, size_t size);
  Error WhatWentWrong() const;

  Outlet outlet_;
  const RasterFormat format_;
  size_t bit_row_bytes_ = 0;     // of the page
  size_t columns_ = 0;           // of the page
  std::vector<std::byte> gray_;  // rows in 8 bits
  std::unique_ptr<cups_raster_t, Closer> raster_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_RASTER_OUTPUT_H_
