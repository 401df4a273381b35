// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small page of all tones whose bits are known: a worker is healthy if it
// halftones the page correctly by each recipe of HealthRecipes that it serves.

#pragma once

#include <vector>

#include "base/result.h"
#include "halftone/page/recipe.h"
#include "halftone/run/engine.h"

namespace halftoned::daemon {

// Floyd–Steinberg, which every worker serves, and the default print of a laser:
// fine, with pure pixels and a tone curve.
std::vector<Recipe> HealthRecipes();

// Whether the engine halftones the page correctly with this recipe; kBug if a
// bit is wrong, kUnavailable if the engine does not serve the recipe.
Result<void> CheckBits(const Engine& engine, const Recipe& recipe);

}  // namespace halftoned::daemon
