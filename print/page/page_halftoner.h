// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Halftones pages, one after another: the rows of a raster page through an
// engine to an output. Used by one thread at a time.

#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "halftone/run/engine.h"
#include "halftone/run/flow.h"
#include "print/page/page_output.h"
#include "print/process/polled_io.h"
#include "print/raster/output_page.h"
#include "print/raster/raster_form.h"
#include "print/raster/raster_input.h"
#include "print/settings/job_settings.h"

namespace halftoned {

class PageHalftoner {
 public:
  // All arguments outlive it.
  PageHalftoner(const Settings& settings, const Engine& engine)
      : settings_(settings), engine_(engine) {}

  // Prints the page whose header `raster`, which reads from `input`, returned
  // last. `page`: its number in its copy, from 1, which tells fronts from
  // backs.
  Result<void> Print(RasterInput& raster, PolledInput& input,
                     const PageHeader& header, int64_t page,
                     PageOutput& output);

  // Prints a white page like the one with this header.
  Result<void> PrintWhite(const PageHeader& header, int64_t page,
                          PageOutput& output) const;

  // Reads the page with this header, and drops it.
  Result<void> Drop(RasterInput& raster, const PageHeader& header) const;

 private:
  // Prints the bits of a page that the renderer made from black and white
  // alone: every type leaves them unchanged.
  Result<void> PrintBits(RasterInput& raster, const RasterForm& form,
                         const OutputPage& printed, PageOutput& output) const;
  Result<RasterForm> FormOfPage(const PageHeader& header) const;
  // The form of the page; an error if it must not be printed.
  Result<RasterForm> CheckedForm(const PageHeader& header) const;
  // The recipe of a page, kept for following pages of the same kind.
  Result<const Recipe*> RecipeFor(const PageHeader& header);
  Result<OutputPage> OutputFor(const PageHeader& header, const RasterForm& form,
                               int64_t page) const;

  const Settings& settings_;
  const Engine& engine_;
  Flow flow_;
  std::optional<Recipe> recipe_;   // of the last page
  DotsPerInch recipe_resolution_;  // of recipe_, if there is one
};

}  // namespace halftoned
