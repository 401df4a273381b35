// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel as C++ sees it: one function that starts it on a stream.

#ifndef HALFTONED_HALFTONE_CUDA_LAUNCH_CUH_
#define HALFTONED_HALFTONE_CUDA_LAUNCH_CUH_

#include <cuda_runtime_api.h>

#include "halftone/cuda/band_job.h"

namespace halftoned::cuda {

// levels: 2, 4, 8 or 16, for all jobs. Asynchronous.
cudaError_t Launch(const Batch& batch, int levels, cudaStream_t stream);

// The same bits from a build of the kernel whose warps dawdle at random, so
// that tests see hand-offs in orders that an idle GPU would never show.
cudaError_t LaunchChaos(const Batch& batch, int levels, cudaStream_t stream);

// Blocks of the kernel that a multiprocessor holds at once.
cudaError_t ResidentBlocks(int* per_multiprocessor);

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_LAUNCH_CUH_
