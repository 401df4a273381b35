// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/spread/collected.cuh"
#include "halftone/gpu/spread/launch_method.cuh"

namespace halftoned::cuda::spread {

template cudaError_t LaunchMethod<Collected<2>>(const Batch&, const Recipe&,
                                                cudaStream_t);
template cudaError_t ResidentBlocks<Collected<2>>(int*);
template cudaError_t LaunchMethod<Collected<4>>(const Batch&, const Recipe&,
                                                cudaStream_t);
template cudaError_t ResidentBlocks<Collected<4>>(int*);
template cudaError_t LaunchMethod<Collected<8>>(const Batch&, const Recipe&,
                                                cudaStream_t);
template cudaError_t ResidentBlocks<Collected<8>>(int*);
template cudaError_t LaunchMethod<Collected<16>>(const Batch&, const Recipe&,
                                                 cudaStream_t);
template cudaError_t ResidentBlocks<Collected<16>>(int*);

}  // namespace halftoned::cuda::spread
