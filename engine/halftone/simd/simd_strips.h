// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector kernel of a target, as strips.

#ifndef HALFTONED_HALFTONE_SIMD_SIMD_STRIPS_H_
#define HALFTONED_HALFTONE_SIMD_SIMD_STRIPS_H_

#include <memory>

#include "halftone/page.h"
#include "halftone/recipe.h"
#include "halftone/simd/core.h"
#include "halftone/strips.h"

namespace halftoned::simd {

// Precondition: target.runs_here(). `target` is one of Targets().
std::unique_ptr<Strips> OpenStrips(const Page& page, const Recipe& recipe,
                                   const Target& target);

}  // namespace halftoned::simd

#endif  // HALFTONED_HALFTONE_SIMD_SIMD_STRIPS_H_
