// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of a warp, for host and device.

#pragma once

#ifdef __CUDACC__
#define HALFTONED_BOTH __host__ __device__
#else
#define HALFTONED_BOTH
#endif

namespace halftoned::cuda {

inline constexpr int kLanes = 32;

}  // namespace halftoned::cuda
