// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/collect/launch_levels.cuh"

namespace halftoned::cuda::collect {

template cudaError_t LaunchLevels<ManyLevels<4>>(const Batch&, cudaStream_t);
template cudaError_t ResidentBlocks<ManyLevels<4>>(int*);

}  // namespace halftoned::cuda::collect
