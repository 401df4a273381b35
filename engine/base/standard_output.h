// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program prints to standard output, and whether it got there: output
// that a full disk has eaten is no success.

#ifndef HALFTONED_BASE_STANDARD_OUTPUT_H_
#define HALFTONED_BASE_STANDARD_OUTPUT_H_

#include "base/result.h"

namespace halftoned {

// Writes what has been printed. An error names standard output, and is told
// once.
Result<void> FlushStandardOutput();

}  // namespace halftoned

#endif  // HALFTONED_BASE_STANDARD_OUTPUT_H_
