// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace halftoned::cuda {

// This warp's place on its multiprocessor: its rest by four is its scheduler.
// The warps of a block begin with any scheduler and go on in turn, as a rule;
// only speed hangs on that.
__device__ inline uint32_t PlaceOfWarp() {
  uint32_t place;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(place));
  return place;
}

}  // namespace halftoned::cuda
