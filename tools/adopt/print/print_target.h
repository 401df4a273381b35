// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone calibrate print QUEUE`.

#ifndef HALFTONED_TOOLS_ADOPT_PRINT_PRINT_TARGET_H_
#define HALFTONED_TOOLS_ADOPT_PRINT_PRINT_TARGET_H_

#include <string>

#include "adopt/queue/outcome.h"
#include "base/result.h"

namespace halftoned {

// Prints a calibration chart with the queue's type, resolution and driver,
// without a curve or, if it is the second, with the queue's measured one, and
// without anything else that changes tones. Returns what was done.
// configuration: the path of halftoned.conf.
Result<QueueOutcome> PrintTarget(const std::string& name, bool is_second,
                                 const std::string& configuration);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_PRINT_PRINT_TARGET_H_
