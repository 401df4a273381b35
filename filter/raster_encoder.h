// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of CUPS raster (version 3), PWG raster or Apple's URF, as libcups
// makes them. There are none before the first page, and they come in whole
// rows.
//
// Some printers take only gray of 8 bits: PWG raster's sgray_8, or URF, which
// has no bits. They get black dots as 0 and white ones as 255, which a
// printer's own halftone leaves as they are.

#ifndef HALFTONED_FILTER_RASTER_ENCODER_H_
#define HALFTONED_FILTER_RASTER_ENCODER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "filter/page_output.h"
#include "filter/raster_header.h"

namespace halftoned {

enum class RasterFormat { kCups, kPwg, kPwgGray, kUrf };

class RasterEncoder : public PageOutput {
 public:
  // Takes bytes: rows of row_bytes() each, or a row or header if that is 0.
  using Put = std::function<Result<void>(std::span<const std::byte>)>;

  RasterEncoder(RasterFormat format, Put put)
      : outlet_{std::move(put), {}}, format_(format) {}
  RasterEncoder(const RasterEncoder&) = delete;
  RasterEncoder& operator=(const RasterEncoder&) = delete;

  Result<void> BeginPage(const PageHeader& header) override;
  Result<void> WriteRows(std::span<const std::byte> rows) override;

  size_t row_bytes() const { return row_bytes_; }

 private:
  struct Outlet {
    Put put;
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
  size_t row_bytes_ = 0;
  size_t bit_row_bytes_ = 0;     // of the page
  size_t columns_ = 0;           // of the page
  std::vector<std::byte> gray_;  // rows in 8 bits
  std::unique_ptr<cups_raster_t, Closer> raster_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_RASTER_ENCODER_H_
