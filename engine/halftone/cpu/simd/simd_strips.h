// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector kernel of a target as Strips.

#pragma once

#include <memory>

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/strips.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned::simd {

// Whether the target has an entry for the recipe's method. `target` is one of
// Targets().
bool Serves(const Recipe& recipe, const Target& target);

// Precondition: target.runs_here(), and it serves the recipe.
std::unique_ptr<Strips> OpenStrips(const Page& page, const Recipe& recipe,
                                   const Target& target);

}  // namespace halftoned::simd
