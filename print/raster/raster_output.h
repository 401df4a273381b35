// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raster for the next program of the job. Nothing is written before the first
// page, and each write is of whole rows.

#pragma once

#include <span>

#include "base/result.h"
#include "print/page/page_output.h"
#include "print/process/polled_io.h"
#include "print/raster/raster_encoder.h"

namespace halftoned {

class RasterOutput : public PageOutput {
 public:
  // `output` outlives it.
  RasterOutput(PolledOutput& output, RasterFormat format)
      : output_(output), encoder_(format, [this](auto bytes) {
          return output_.Write(bytes, encoder_.row_bytes());
        }) {}

  Result<void> BeginPage(const PageHeader& header) override {
    return encoder_.BeginPage(header);
  }

  // Once the job is stopping, fails after a whole row.
  Result<void> WriteRows(std::span<const std::byte> rows) override {
    if (output_.stopping()) return IoError("the job was canceled");
    return encoder_.WriteRows(rows);
  }

  // The same for rows that another encoder of this format has encoded; a page
  // has either kind of rows.
  Result<void> WriteEncoded(std::span<const std::byte> rows) {
    return output_.Write(rows, encoder_.row_bytes());
  }

 private:
  PolledOutput& output_;
  RasterEncoder encoder_;
};

}  // namespace halftoned
