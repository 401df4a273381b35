// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a session takes of a GPU's memory and of the host's, and how it lies.

#pragma once

#include "halftone/gpu/host/track.h"
#include "halftone/page/recipe.h"
#include "halftone/run/valid_order.h"

namespace halftoned::cuda {

// The recipe of the kernel that makes the bits, or of the first such kernel.
Recipe FirstRecipe(const Recipe& recipe);

// How often a band is cut, at most.
int MostCuts(const Recipe& recipe);

SlotLayout LayoutFor(const ValidOrder& order);
Track::Size SizeFor(const ValidOrder& order);

}  // namespace halftoned::cuda
