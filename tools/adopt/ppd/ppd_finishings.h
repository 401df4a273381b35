// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The staples, punches and folds of a PPD file that is made. The renderer does
// not know them: CUPS tells the printer, by the numbers of IPP that stand
// beside each choice.

#ifndef HALFTONED_TOOLS_ADOPT_PPD_PPD_FINISHINGS_H_
#define HALFTONED_TOOLS_ADOPT_PPD_PPD_FINISHINGS_H_

#include <string>

#include "adopt/printer/printer_facts.h"

namespace halftoned {

// Empty if the printer has none that is known.
std::string FinishingLines(const PrinterFacts& facts);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_PPD_PPD_FINISHINGS_H_
