// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks a printer for its attributes, over IPP. Changes nothing.

#pragma once

#include <chrono>
#include <string>

#include "adopt/printer/printer_facts.h"
#include "base/result.h"

namespace halftoned {

// The URI for a host name or address, such as printer.local or 192.0.2.7:8631:
// an IPP URI if the printer can be asked, otherwise its raw socket. Any other
// word is returned unchanged.
std::string FullAddress(const std::string& word, bool is_asked);

// Whether the printer at this URI can be asked: ipp, ipps, http and https,
// which CUPS turns into IPP, and dnssd if it is an IPP service.
bool SpeaksIpp(const std::string& uri);

// most: the time for all.
Result<PrinterFacts> AskPrinter(
    const std::string& uri,
    std::chrono::milliseconds most = std::chrono::minutes(2));

}  // namespace halftoned
