// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HALFTONED_PRINTER_APP_SERVER_LIBRARY_CHECK_H_
#define HALFTONED_PRINTER_APP_SERVER_LIBRARY_CHECK_H_

#include "base/result.h"

namespace halftoned {

// An error if libpappl is of a version that was not tried.
Result<void> CheckLibrary();

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_SERVER_LIBRARY_CHECK_H_
