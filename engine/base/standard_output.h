// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether standard output was written: output lost to a full disk is a failure.

#ifndef HALFTONED_BASE_STANDARD_OUTPUT_H_
#define HALFTONED_BASE_STANDARD_OUTPUT_H_

#include "base/result.h"

namespace halftoned {

// Flushes standard output. The error names it, and is reported once.
Result<void> FlushStandardOutput();

}  // namespace halftoned

#endif  // HALFTONED_BASE_STANDARD_OUTPUT_H_
