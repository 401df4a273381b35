// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone calibrate print --output`: a calibration chart as a file of
// halftoned dots, one per printer dot.

#pragma once

#include "base/result.h"
#include "calibrate/calibrate_arguments.h"

namespace halftoned {

// Errors begin with the name of the file.
Result<void> WriteTarget(const CalibrateOptions& options);

}  // namespace halftoned
