// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the warps of a kernel may be held up. Here they never are: a test's
// build of the kernels puts another file in the place of this one.

#pragma once

#include <cstdint>

namespace halftoned::cuda {

class TestDelay {
 public:
  // warp: another number for each warp of a launch, the same in all lanes.
  __device__ explicit TestDelay(uint32_t) {}
  __device__ __forceinline__ void Pause() {}
};

// Blocks of a cluster for the next launch, where so many are best.
inline unsigned ClusterToLaunch(unsigned blocks) { return blocks; }

}  // namespace halftoned::cuda
