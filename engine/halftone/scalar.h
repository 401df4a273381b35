// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels without vectors of their own.

#ifndef HALFTONED_HALFTONE_SCALAR_H_
#define HALFTONED_HALFTONE_SCALAR_H_

#include "halftone/kernel.h"

namespace halftoned {

// The definition of the bits, in plain loops. Every other engine is held
// against it; it is written to be read, not to be fast.
void HalftoneByDefinition(const KernelJob& job);

// Error collection with the neighbours' errors kept in registers, after
// Kasagi, Nakano and Ito, "Parallelization Techniques for Error Diffusion with
// GPU Implementations". It is the baseline of every speed-up that this project
// states, so it is frozen: it may be mended, not tuned.
void HalftoneCached(const KernelJob& job);

// `bi-level`, for every engine but the definition.
void HalftoneBiLevel(const KernelJob& job);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_SCALAR_H_
