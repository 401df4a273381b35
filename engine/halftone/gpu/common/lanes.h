// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What host and device both need to know of a warp.

#ifndef HALFTONED_HALFTONE_GPU_COMMON_LANES_H_
#define HALFTONED_HALFTONE_GPU_COMMON_LANES_H_

#ifdef __CUDACC__
#define HALFTONED_BOTH __host__ __device__
#else
#define HALFTONED_BOTH
#endif

namespace halftoned::cuda {

inline constexpr int kLanes = 32;

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_GPU_COMMON_LANES_H_
