// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone check`: all checks, one after another.

#ifndef HALFTONED_TOOLS_CHECK_RUN_CHECK_H_
#define HALFTONED_TOOLS_CHECK_RUN_CHECK_H_

#include "check/arguments.h"

namespace halftoned {

// Prints a line for each finding; returns the exit status.
int RunCheck(const CheckOptions& options);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_CHECK_RUN_CHECK_H_
