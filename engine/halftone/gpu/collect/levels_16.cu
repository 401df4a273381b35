// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/collect/launch_levels.cuh"

namespace halftoned::cuda::collect {

template cudaError_t LaunchLevels<ManyLevels<16>>(const Batch&, cudaStream_t);
template cudaError_t ResidentBlocks<ManyLevels<16>>(int*);

}  // namespace halftoned::cuda::collect
