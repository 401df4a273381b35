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

// recipe: that of all jobs, of this method. Asynchronous.
template <class Method>
cudaError_t LaunchMethod(const Batch& batch, const Recipe& recipe,
                         cudaStream_t stream);

// Blocks that a multiprocessor holds at once; none where they need more shared
// memory than there is.
template <class Method>
cudaError_t ResidentBlocks(int* per_multiprocessor);

}  // namespace halftoned::cuda::spread
