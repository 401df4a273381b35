// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of dots as a program in PostScript. Each page is a mask of whole dots
// on the device's own grid, so that Ghostscript neither halftones nor scales
// it.

#pragma once

#include <cstdint>
#include <string>

#include "filter/messages.h"
#include "print/page/page_output.h"
#include "print/process/polled_io.h"
#include "print/render/devices.h"

namespace halftoned {

class DotsOutput : public PageOutput {
 public:
  // All outlive it. Each page is reported to `messages` for accounting, as by
  // the last filter of a job.
  DotsOutput(const Device& device, PolledOutput& output, Messages& messages)
      : device_(device), output_(output), messages_(messages) {}

  Result<void> BeginPage(const PageHeader& header) override;
  Result<void> WriteRows(std::span<const std::byte> rows) override;

  // Ends the program. Without it, the last page is not printed.
  Result<void> Finish();

 private:
  Result<void> Say(const std::string& text);
  Result<void> EndPage();

  std::string RequestOf(const PageHeader& header) const;

  const Device device_;
  PolledOutput& output_;
  Messages& messages_;
  int64_t pages_ = 0;
  std::string request_;  // of the last page, to the device
  size_t bytes_left_ = 0;
  bool is_in_page_ = false;
};

}  // namespace halftoned
