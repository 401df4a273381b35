// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel for each method that spreads errors. They are compiled in several
// files (fine.cu …).

#pragma once

#include <cuda_runtime_api.h>

#include "halftone/gpu/common/band_job.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda::spread {

class Clustered;
class FineOnPaper;
template <int levels>
class Collected;
template <int levels>
class Fine;

// recipe: the recipe of all jobs, of this method. Asynchronous.
template <class Method>
cudaError_t LaunchMethod(const Batch& batch, const Recipe& recipe,
                         cudaStream_t stream);

// The number of blocks that a multiprocessor can hold; 0 if a block needs more
// shared memory than there is.
template <class Method>
cudaError_t ResidentBlocks(int* per_multiprocessor);

}  // namespace halftoned::cuda::spread
