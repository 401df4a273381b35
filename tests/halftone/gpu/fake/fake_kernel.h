// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of the kernels, done by the definition.

#pragma once

#include "halftone/gpu/common/band_job.h"
#include "halftone/gpu/common/swap_job.h"
#include "halftone/page/recipe.h"

namespace halftoned::testing {

// The bits of a band and the states below it and below its cuts. False if the
// states above have not come.
bool RunFakeKernel(const cuda::BandJob& job, const Recipe& recipe);

// The second pass of `best`.
void RunFakeSwaps(const cuda::SwapJob& job);

}  // namespace halftoned::testing
