// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HALFTONED_PRINTER_APP_INTERPOSED_LIBRARY_CHECK_H_
#define HALFTONED_PRINTER_APP_INTERPOSED_LIBRARY_CHECK_H_

#include "base/result.h"

namespace halftoned {

// An error if libpappl is of a version that was not tried, or has no function
// of a name that what protects the server stands before.
Result<void> CheckLibrary();

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_INTERPOSED_LIBRARY_CHECK_H_
