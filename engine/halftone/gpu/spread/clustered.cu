// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/spread/clustered.cuh"
#include "halftone/gpu/spread/launch_method.cuh"

namespace halftoned::cuda::spread {

template cudaError_t LaunchMethod<Clustered>(const Batch&, const Recipe&,
                                             cudaStream_t);
template cudaError_t ResidentBlocks<Clustered>(int*);

}  // namespace halftoned::cuda::spread
