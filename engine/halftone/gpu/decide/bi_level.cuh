// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `bi-level`: each pixel for itself. A thread makes 32 columns of a row, one
// word, and then those that are as many words further on as there are threads.

#ifndef HALFTONED_HALFTONE_GPU_DECIDE_BI_LEVEL_CUH_
#define HALFTONED_HALFTONE_GPU_DECIDE_BI_LEVEL_CUH_

#include <cuda_runtime_api.h>

#include "halftone/gpu/common/band_job.h"

namespace halftoned::cuda {

// BandJob::tone has values. Asynchronous.
cudaError_t LaunchBiLevel(const Batch& batch, cudaStream_t stream);

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_GPU_DECIDE_BI_LEVEL_CUH_
