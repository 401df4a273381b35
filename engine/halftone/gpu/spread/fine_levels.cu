// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/spread/fine.cuh"
#include "halftone/gpu/spread/launch_method.cuh"

namespace halftoned::cuda::spread {

template cudaError_t LaunchMethod<Fine<4>>(const Batch&, const Recipe&,
                                           cudaStream_t);
template cudaError_t ResidentBlocks<Fine<4>>(int*);
template cudaError_t LaunchMethod<Fine<8>>(const Batch&, const Recipe&,
                                           cudaStream_t);
template cudaError_t ResidentBlocks<Fine<8>>(int*);
template cudaError_t LaunchMethod<Fine<16>>(const Batch&, const Recipe&,
                                            cudaStream_t);
template cudaError_t ResidentBlocks<Fine<16>>(int*);

}  // namespace halftoned::cuda::spread
