// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels as C++ sees them: one function that starts a recipe's kernel on a
// stream.

#ifndef HALFTONED_HALFTONE_CUDA_LAUNCH_CUH_
#define HALFTONED_HALFTONE_CUDA_LAUNCH_CUH_

#include <cuda_runtime_api.h>

#include "halftone/cuda/band_job.h"
#include "halftone/recipe.h"

namespace halftoned::cuda {

// recipe: that of all jobs. Asynchronous.
cudaError_t Launch(const Batch& batch, const Recipe& recipe,
                   cudaStream_t stream);

// The same bits from a build of the kernels whose warps dawdle at random, so
// that tests see hand-offs in orders that an idle GPU would never show.
cudaError_t LaunchChaos(const Batch& batch, const Recipe& recipe,
                        cudaStream_t stream);

// Of Launch, for the recipes of KernelKind::kSpreading.
cudaError_t LaunchSpread(const Batch& batch, const Recipe& recipe,
                         cudaStream_t stream);

// Blocks of a kernel that a multiprocessor holds at once: of
// KernelKind::kCollecting, and of kSpreading; none of the latter where they
// need more shared memory than there is.
cudaError_t ResidentBlocks(int* per_multiprocessor);
cudaError_t ResidentSpreadBlocks(int* per_multiprocessor);

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_LAUNCH_CUH_
