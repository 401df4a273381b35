// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the PPD file of a queue for a network printer from what the printer
// says of itself: its papers with their margins, resolutions, trays, kinds of
// paper and backs of sheets. Pages come to it from our filter as PWG raster of
// 1 bit or, if it takes none, as bits in gray of 8, of PWG raster or URF. Pure.
// A name that the printer says is only used if it is a keyword of IPP.

#pragma once

#include <string>

#include "adopt/printer/printer_facts.h"
#include "base/result.h"

namespace halftoned {

// Refuses a printer that takes no such raster, with what to do instead.
Result<std::string> MakePpd(const PrinterFacts& facts);

}  // namespace halftoned
