// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of `best`, compiled once for each target.

#pragma once

#include <string_view>

#include "halftone/cpu/swap.h"

namespace halftoned::simd {

// The swaps of the target of this name, which runs here; null if it has none.
SwapKernel SwapsOf(std::string_view target);

}  // namespace halftoned::simd
