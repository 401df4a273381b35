// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone check --print QUEUE`.

#ifndef HALFTONED_TOOLS_ADOPT_PRINT_CHECK_H_
#define HALFTONED_TOOLS_ADOPT_PRINT_CHECK_H_

#include <string>

#include "adopt/page_words.h"
#include "adopt/print_server.h"
#include "base/result.h"
#include "config/config.h"

namespace halftoned {

// With the options that jobs of this user get. The error says that there is no
// such queue, or that it has no driver.
Result<NamedQueue> FindNamedQueue(PrintServer& server, const std::string& name);

// Prints a page with the settings of the queue in words; returns what was done,
// for people.
Result<std::string> PrintCheckPage(PrintServer& server, const std::string& name,
                                   const Config& config);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_PRINT_CHECK_H_
