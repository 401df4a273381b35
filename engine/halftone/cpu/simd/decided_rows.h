// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `bi-level`, `screen` and `blue-noise` for every engine except the definition:
// each pixel is decided on its own, by the offsets of the recipe's screen.

#pragma once

#include <memory>

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/strips.h"
#include "halftone/page/method.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned::simd {

bool IsDecided(MethodId method);

// Precondition: IsDecided(recipe.method()).
std::unique_ptr<Strips> OpenDecided(const Page& page, const Recipe& recipe,
                                    const Target& target);

}  // namespace halftoned::simd
