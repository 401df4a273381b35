// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PPD files whose driver is foomatic-rip: with a command line in the file,
// Ghostscript makes the dots, often in the printer's own language. Checks
// whether each command line that the file's options can produce is known to
// print our dots unchanged.

#pragma once

#include <string_view>

#include "adopt/change/raster_drivers.h"
#include "base/result.h"

namespace halftoned {

// `ppd`: the file's text.
Result<RasterDriver> GhostscriptDriverOf(std::string_view ppd);

}  // namespace halftoned
