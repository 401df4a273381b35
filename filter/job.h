// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A print job: the pages of a raster, one after another, from the input
// through an engine to the output.

#ifndef HALFTONED_FILTER_JOB_H_
#define HALFTONED_FILTER_JOB_H_

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "filter/messages.h"
#include "filter/output_page.h"
#include "filter/polled_io.h"
#include "filter/raster_form.h"
#include "filter/raster_input.h"
#include "filter/raster_output.h"
#include "filter/settings.h"
#include "halftone/run/engine.h"
#include "halftone/run/flow.h"

namespace halftoned {

class Job {
 public:
  // All arguments outlive it.
  Job(const Settings& settings, const Engine& engine, PolledOutput& output,
      Messages& messages)
      : settings_(settings),
        engine_(engine),
        output_(output, settings.format),
        messages_(messages) {}

  // Prints every page of `input`; no page is an error. It can be called again
  // for another copy, which begins on a new sheet.
  Result<void> Print(PolledInput& input);

 private:
  // The recipe of a page, made once for pages of the same resolution.
  Result<const Recipe*> RecipeFor(const PageHeader& header);
  Result<void> PrintPage(RasterInput& raster, PolledInput& input,
                         const PageHeader& header);
  // Adds a white back if the last page was the front of a duplex sheet.
  Result<void> FinishSheet();
  Result<OutputPage> BeginPage(const PageHeader& header,
                               const RasterForm& form);
  Result<OutputPage> OutputFor(const PageHeader& header,
                               const RasterForm& form) const;
  void Report(int64_t rows, int64_t of_rows);

  const Settings& settings_;
  const Engine& engine_;
  RasterOutput output_;
  Messages& messages_;
  Flow flow_;
  std::optional<Recipe> recipe_;  // for recipe_dots_per_inch_
  double recipe_dots_per_inch_ = 0;
  int64_t page_ = 0;  // the current page, from 1, counted over all copies
  int64_t page_of_copy_ = 0;
  PageHeader last_header_{};  // of the last page, if there was one
  int progress_ = 0;          // percent of the page, as last reported
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_JOB_H_
