// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting the kernel that spreads errors, for each of the recipes that it
// serves.

#pragma once

#include <cuda_runtime_api.h>

#include "halftone/gpu/common/band_job.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda {

// recipe: the recipe of all jobs. Asynchronous.
cudaError_t LaunchSpreading(const Batch& batch, const Recipe& recipe,
                            cudaStream_t stream);

// The number of blocks of any method that a multiprocessor can hold; 0 if a
// block needs more shared memory than there is.
cudaError_t ResidentSpreadingBlocks(int* per_multiprocessor);

}  // namespace halftoned::cuda
