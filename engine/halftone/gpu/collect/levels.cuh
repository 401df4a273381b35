// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel for each number of levels. Each is compiled in a separate file
// (levels_2.cu …), because each takes long to compile.

#pragma once

#include <cuda_runtime_api.h>

#include "halftone/gpu/common/band_job.h"
#include "halftone/gpu/common/quantize.cuh"

namespace halftoned::cuda::collect {

// Levels: TwoLevels or ManyLevels. Asynchronous.
template <class Levels>
cudaError_t LaunchLevels(const Batch& batch, cudaStream_t stream);

// The number of blocks that a multiprocessor can hold.
template <class Levels>
cudaError_t ResidentBlocks(int* per_multiprocessor);

}  // namespace halftoned::cuda::collect
