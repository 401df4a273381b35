// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of CUPS raster (version 3), PWG raster or Apple's URF, as libcups
// makes them. Nothing is output before the first page, and output is in whole
// rows; packed rows may be output later than they were written.
//
// Some printers take only 8-bit gray: PWG raster's sgray_8, or URF, which has
// no 1-bit form. Some drivers, too, take only gray. They get each dot as a
// pixel of pure black or white, which their own halftone leaves unchanged.

#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "print/page/page_output.h"
#include "print/raster/raster_header.h"
#include "print/raster/row_packer.h"

namespace halftoned {

// kCupsBlack: CUPS raster with 8 bits of black per dot.
enum class RasterFormat { kCups, kCupsBlack, kPwg, kPwgGray, kUrf };

constexpr bool IsCupsRaster(RasterFormat format) {
  return format == RasterFormat::kCups || format == RasterFormat::kCupsBlack;
}

class RasterEncoder : public PageOutput {
 public:
  // Takes bytes: rows of row_bytes() each; if that is 0, packed rows or a
  // header.
  using Put = std::function<Result<void>(std::span<const std::byte>)>;

  RasterEncoder(RasterFormat format, Put put);
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

  // How dots are output.
  struct Samples {
    cups_cspace_t space;
    const std::array<std::byte, 8>* of_dots;  // for each byte of 8 dots
  };

  static std::optional<Samples> SamplesOf(RasterFormat format);
  // Fills pixels_ from rows of bits.
  void Expand(std::span<const std::byte> rows);

  // Packs rows, and outputs them once they are complete.
  Result<void> WritePacked(std::span<const std::byte> rows);

  static ssize_t WriteForCups(void* outlet, unsigned char* bytes, size_t size);
  Error WhatWentWrong() const;

  Outlet outlet_;
  const RasterFormat format_;
  const std::optional<Samples> samples_;  // nothing: dots stay bits
  size_t row_bytes_ = 0;
  size_t bit_row_bytes_ = 0;         // of the page
  size_t columns_ = 0;               // of the page
  std::vector<std::byte> pixels_;    // rows of samples_
  std::optional<RowPacker> packer_;  // nothing: rows are not packed
  std::vector<std::byte> packed_;
  std::unique_ptr<cups_raster_t, Closer> raster_;  // writes everything else
};

}  // namespace halftoned
