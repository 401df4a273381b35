// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone convert --palette`: pictures in the colors of a panel, as PNG with
// a palette.

#pragma once

#include "command/arguments.h"

namespace halftoned {

// Returns the exit status.
int RunPalette(ConvertOptions options);

}  // namespace halftoned
