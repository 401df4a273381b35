// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size and the layout of a session's memory, on the GPU and on the host.

#pragma once

#include "halftone/gpu/host/track.h"
#include "halftone/page/recipe.h"
#include "halftone/run/valid_order.h"

namespace halftoned::cuda {

// The recipe of the kernel that makes the bits; of the first one if there are
// two.
Recipe FirstRecipe(const Recipe& recipe);

// The maximum number of cuts of a band.
int MostCuts(const Recipe& recipe);

SlotLayout LayoutFor(const ValidOrder& order);
Track::Size SizeFor(const ValidOrder& order);

}  // namespace halftoned::cuda
