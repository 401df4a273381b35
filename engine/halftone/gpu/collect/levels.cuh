// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel for each number of levels. Each is compiled in a file of its own
// (levels_2.cu …), since each takes the compiler long.

#pragma once

#include <cuda_runtime_api.h>

#include "halftone/gpu/common/band_job.h"
#include "halftone/gpu/common/quantize.cuh"

namespace halftoned::cuda::collect {

// Levels: TwoLevels or ManyLevels. Asynchronous.
template <class Levels>
cudaError_t LaunchLevels(const Batch& batch, cudaStream_t stream);

// Blocks that a multiprocessor holds at once.
template <class Levels>
cudaError_t ResidentBlocks(int* per_multiprocessor);

}  // namespace halftoned::cuda::collect
