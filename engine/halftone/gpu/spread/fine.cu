// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/spread/fine.cuh"
#include "halftone/gpu/spread/fine_on_paper.cuh"
#include "halftone/gpu/spread/launch_method.cuh"

namespace halftoned::cuda::spread {

template cudaError_t LaunchMethod<Fine<2>>(const Batch&, const Recipe&,
                                           cudaStream_t);
template cudaError_t ResidentBlocks<Fine<2>>(int*);
template cudaError_t LaunchMethod<FineOnPaper>(const Batch&, const Recipe&,
                                               cudaStream_t);
template cudaError_t ResidentBlocks<FineOnPaper>(int*);

}  // namespace halftoned::cuda::spread
