// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone test-page QUEUE`.

#ifndef HALFTONED_TOOLS_ADOPT_PRINT_PRINT_CHECK_H_
#define HALFTONED_TOOLS_ADOPT_PRINT_PRINT_CHECK_H_

#include <string>

#include "adopt/queue/outcome.h"
#include "base/result.h"
#include "config/config.h"

namespace halftoned {

// Prints a page with the settings of the queue in words; returns what was done.
Result<QueueOutcome> PrintCheckPage(const std::string& name,
                                    const Config& config);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_PRINT_PRINT_CHECK_H_
