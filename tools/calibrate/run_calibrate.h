// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone calibrate`, but for printing to a queue.

#ifndef HALFTONED_TOOLS_CALIBRATE_RUN_CALIBRATE_H_
#define HALFTONED_TOOLS_CALIBRATE_RUN_CALIBRATE_H_

#include "calibrate/arguments.h"

namespace halftoned {

// Returns the exit status; prints what was done, or a line about why not.
int RunCalibrate(const CalibrateOptions& options);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_CALIBRATE_RUN_CALIBRATE_H_
