// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting the kernel that collects errors: Floyd–Steinberg without pure
// pixels.

#pragma once

#include <cuda_runtime_api.h>

#include "halftone/gpu/common/band_job.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda {

// recipe: the recipe of all jobs. Asynchronous.
cudaError_t LaunchCollecting(const Batch& batch, const Recipe& recipe,
                             cudaStream_t stream);

// The number of blocks that a multiprocessor can hold.
cudaError_t ResidentCollectingBlocks(int* per_multiprocessor);

}  // namespace halftoned::cuda
