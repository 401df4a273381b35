// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "base/result.h"

namespace halftoned {

// An error if libpappl is of a version that was not tried.
Result<void> CheckLibrary();

}  // namespace halftoned
