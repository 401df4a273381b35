// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PPD files whose driver is foomatic-rip: a command line in the file has
// Ghostscript make the dots, often in the printer's own language. Says whether
// all that it can be told to do is known to print our dots as they are.

#pragma once

#include <string_view>

#include "adopt/change/raster_drivers.h"
#include "base/result.h"

namespace halftoned {

// `ppd`: the file's text.
Result<RasterDriver> GhostscriptDriverOf(std::string_view ppd);

}  // namespace halftoned
