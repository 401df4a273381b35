// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printers of halftone-printer-app. Uses its sub-commands, which find this
// user's server, or the service, and start none.

#pragma once

#include <map>
#include <string>

#include "adopt/queue/named_queue.h"
#include "base/result.h"

namespace halftoned {

bool HasApplication();

// The error begins with the application's name.
Result<NamedQueue> FindApplicationPrinter(const std::string& name);

// Like PrintDocument.
Result<std::string> PrintOnApplication(
    const std::string& name, const std::string& title,
    const std::map<std::string, std::string>& options,
    const std::string& document);

}  // namespace halftoned
