// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace halftoned::cuda {

// This warp's place on its multiprocessor. The place modulo 4 is its scheduler.
// Usually, the warps of a block begin with any scheduler and continue in turn;
// only speed depends on that.
__device__ inline uint32_t PlaceOfWarp() {
  uint32_t place;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(place));
  return place;
}

}  // namespace halftoned::cuda
