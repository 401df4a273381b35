// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks a printer what it is, over IPP. Changes nothing.

#ifndef HALFTONED_TOOLS_ADOPT_IPP_PRINTER_H_
#define HALFTONED_TOOLS_ADOPT_IPP_PRINTER_H_

#include <string>

#include "adopt/printer_facts.h"
#include "base/result.h"

namespace halftoned {

// Whether the printer at this address can be asked: ipp and ipps, and http and
// https, of which CUPS makes them.
bool SpeaksIpp(const std::string& uri);

Result<PrinterFacts> AskPrinter(const std::string& uri);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_IPP_PRINTER_H_
