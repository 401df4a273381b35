// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cores of recipes that spread errors (spread_core-inl.h), of each target.

#ifndef HALFTONED_HALFTONE_SIMD_SPREAD_TARGETS_H_
#define HALFTONED_HALFTONE_SIMD_SPREAD_TARGETS_H_

#include "halftone/simd/core.h"

namespace halftoned::simd {

// Precondition: the recipe is `fine`, `clustered` or `printer-model`. Defined
// where Highway compiles for the target.
Core SpreadCoreOfAvx512(const PageKind& kind);
Core SpreadCoreOfAvx2(const PageKind& kind);
Core SpreadCoreOfSsse3(const PageKind& kind);
Core SpreadCoreOfNeon(const PageKind& kind);

}  // namespace halftoned::simd

#endif  // HALFTONED_HALFTONE_SIMD_SPREAD_TARGETS_H_
