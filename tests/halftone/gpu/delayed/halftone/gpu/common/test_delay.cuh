// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces the engine's file of this name in a test's build of the kernels:
// each warp is delayed at random, so that warps that usually come first come
// last, and tests see hand-offs in orders that an idle GPU never shows.

#pragma once

#include <cstdint>

#include "tests/halftone/gpu/delayed_launches.h"

namespace halftoned::cuda {

class TestDelay {
 public:
  // warp: a different number for each warp of a launch, the same in all lanes.
  // The clock makes each launch different.
  __device__ explicit TestDelay(uint32_t warp) {
    const uint32_t clock =
        __shfl_sync(0xFFFFFFFFu, static_cast<uint32_t>(clock64()), 0);
    random_ = (clock + warp) * 2654435761u;
  }

  // 0 … 4 us, at about one call in sixteen.
  __device__ __forceinline__ void Pause() {
    random_ = random_ * 1664525u + 1013904223u;
    if (random_ >> 28 == 0) __nanosleep(random_ >> 16 & 0xFFF);
  }

 private:
  uint32_t random_;
};

// Half of the launches go without clusters.
inline unsigned ClusterToLaunch(unsigned blocks) {
  return testing::delayed_launches++ % 4 < 2 ? 1 : blocks;
}

}  // namespace halftoned::cuda
