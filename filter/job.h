// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A print job: the pages of a raster, one after another, from the input
// through an engine to the output.

#pragma once

#include <cstdint>

#include "base/result.h"
#include "halftone/run/engine.h"
#include "print/page/page_halftoner.h"
#include "print/page/page_output.h"
#include "print/process/polled_io.h"
#include "print/raster/raster_header.h"
#include "print/raster/raster_input.h"
#include "print/settings/job_settings.h"

namespace halftoned {

// The error, with the page's number if a page caused it.
Error OnPage(int64_t page, const Error& error);

class Job {
 public:
  // All arguments outlive it.
  Job(const Settings& settings, const Engine& engine, PageOutput& output)
      : halftoner_(settings, engine), output_(output) {}

  // Prints every page of `input` except the first `dropped`, which have been
  // printed. Without any page it fails. It can be called again for another
  // copy, which begins on a new sheet.
  Result<void> Print(PolledInput& input, int64_t dropped = 0);

 private:
  // Adds a white back if the last page was the front of a duplex sheet.
  Result<void> FinishSheet();

  PageHalftoner halftoner_;
  PageOutput& output_;
  int64_t page_ = 0;  // the current page, from 1, counted over all copies
  int64_t page_of_copy_ = 0;
  PageHeader last_header_{};  // of the last page, if there was one
};

}  // namespace halftoned
