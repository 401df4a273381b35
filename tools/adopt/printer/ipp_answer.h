// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A printer's reply over IPP. It has at most 4 MiB and 8 levels of collections,
// comes in time and needs no password, or it is an error: no printer can keep
// its user waiting, fill the memory or the stack, or ask for a password.

#pragma once

#include <cups/cups.h>

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"

namespace halftoned {

struct IppFreer {
  void operator()(ipp_t* message) const { ippDelete(message); }
};
using IppMessage = std::unique_ptr<ipp_t, IppFreer>;

// All attributes of the printer at this URI.
// most: the time for all, which includes the search for a printer that is named
// by its announcement.
Result<IppMessage> AskForAttributes(const std::string& uri,
                                    std::chrono::milliseconds most);

}  // namespace halftoned
