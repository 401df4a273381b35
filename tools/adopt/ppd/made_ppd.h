// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the PPD file of a queue for a network printer from the printer's
// attributes: its papers with their margins, its resolutions, trays and kinds
// of paper, and the orientation of backs of sheets. Our filter sends pages as
// 1-bit PWG raster or, if the printer does not take it, as pure black and white
// in 8-bit gray, in PWG raster or URF. Pure. A name from the printer is used
// only if it is a keyword of IPP.

#pragma once

#include <string>

#include "adopt/printer/printer_facts.h"
#include "base/result.h"

namespace halftoned {

// Refuses a printer that does not accept such raster, and says what to do
// instead.
Result<std::string> MakePpd(const PrinterFacts& facts);

}  // namespace halftoned
