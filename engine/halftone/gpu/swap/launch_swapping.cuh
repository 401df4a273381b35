// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting the kernels of the second pass of `best`.

#pragma once

#include <cuda_runtime_api.h>

#include "halftone/gpu/common/swap_job.h"

namespace halftoned::cuda {

// Starts all work of the job, in the job's order. Asynchronous.
cudaError_t LaunchSwapping(const SwapJob& job, cudaStream_t stream);

}  // namespace halftoned::cuda
