// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints pages in order: writes their raster, and reports each page and its
// progress to cupsd.

#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "filter/messages.h"
#include "print/page/page_output.h"
#include "print/process/polled_io.h"
#include "print/raster/raster_encoder.h"
#include "print/settings/job_settings.h"

namespace halftoned {

// Raster for the next program of the job. Nothing is written before the first
// page, and each write has whole rows.
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
  // has rows of one kind only.
  Result<void> WriteEncoded(std::span<const std::byte> rows) {
    return output_.Write(rows, encoder_.row_bytes());
  }

 private:
  PolledOutput& output_;
  RasterEncoder encoder_;
};

class PagePrinter : public PageOutput {
 public:
  // All arguments outlive it.
  PagePrinter(const Settings& settings, PolledOutput& output,
              Messages& messages)
      : is_last_(settings.is_last),
        output_(output, settings.format),
        messages_(messages) {}

  Result<void> BeginPage(const PageHeader& header) override;
  Result<void> WriteRows(std::span<const std::byte> rows) override;
  // This many rows, already encoded (RasterOutput::WriteEncoded).
  Result<void> WriteEncoded(std::span<const std::byte> bytes, int64_t rows);

  // Pages that have been begun, of all copies.
  int64_t pages() const { return pages_; }

 private:
  void Report(int64_t rows);

  const bool is_last_;
  RasterOutput output_;
  Messages& messages_;
  int64_t pages_ = 0;
  // The page under way:
  size_t row_bytes_ = 1;
  int64_t rows_ = 1;
  int64_t written_ = 0;  // rows
  int progress_ = 0;     // percent, as last reported
};

}  // namespace halftoned
