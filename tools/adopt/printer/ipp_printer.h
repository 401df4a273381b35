// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks a printer what it is, over IPP. Changes nothing.

#pragma once

#include <string>

#include "adopt/printer/printer_facts.h"
#include "base/result.h"

namespace halftoned {

// The address that people mean by the name of a host, such as printer.local or
// 192.0.2.7:8631: of IPP for printers that are asked, else of their socket.
// Another word is what it is.
std::string FullAddress(const std::string& word, bool is_asked);

// Whether the printer at this address can be asked: ipp and ipps, and http and
// https, of which CUPS makes them; and dnssd if it is one of IPP.
bool SpeaksIpp(const std::string& uri);

Result<PrinterFacts> AskPrinter(const std::string& uri);

}  // namespace halftoned
