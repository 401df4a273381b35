// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a test can delay the warps of a kernel. This file never does; a test's
// build of the kernels replaces it by another one.

#pragma once

#include <cstdint>

namespace halftoned::cuda {

class TestDelay {
 public:
  // warp: a different number for each warp of a launch, the same in all its
  // lanes.
  __device__ explicit TestDelay(uint32_t) {}
  __device__ __forceinline__ void Pause() {}
};

// Blocks of a cluster for the next launch; `blocks` is the best number.
inline unsigned ClusterToLaunch(unsigned blocks) { return blocks; }

}  // namespace halftoned::cuda
