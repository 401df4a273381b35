// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printers of halftone-printer-app, by its sub-commands, which find the server
// of this user, or the service.

#pragma once

#include <map>
#include <string>

#include "adopt/queue/named_queue.h"
#include "base/result.h"

namespace halftoned {

bool HasApplication();

// Starts no server. The error begins with the application's name.
Result<NamedQueue> FindApplicationPrinter(const std::string& name);

// As PrintDocument.
Result<std::string> PrintOnApplication(
    const std::string& name, const std::string& title,
    const std::map<std::string, std::string>& options,
    const std::string& document);

}  // namespace halftoned
