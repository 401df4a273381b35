// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels as C++ sees them: one function that starts a recipe's kernel on a
// stream.

#pragma once

#include <cuda_runtime_api.h>

#include "halftone/gpu/common/band_job.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda {

// recipe: the recipe of all jobs. Asynchronous.
cudaError_t Launch(const Batch& batch, const Recipe& recipe,
                   cudaStream_t stream);

}  // namespace halftoned::cuda
