// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error collection with the neighbors' errors kept in registers, after Kasagi,
// Nakano and Ito, "Parallelization Techniques for Error Diffusion with GPU
// Implementations". It is the baseline of every speed-up that this project
// states, so it is frozen: bugs may be fixed, but it is not tuned. For
// floyd-steinberg with 8 bits and two levels, without pure pixels.

#pragma once

#include "halftone/cpu/kernel.h"

namespace halftoned {

void HalftoneCached(const KernelJob& job);

}  // namespace halftoned
