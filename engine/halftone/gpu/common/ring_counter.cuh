// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a warp of a block has come, told to the block's other warps: a count
// of steps in shared memory that only rises, with one writing warp.
//
// Publish is a release, and Reached (or Peek, then TrustAndPublish) is an
// acquire, at cta scope: a warp that sees a count sees all that the whole
// publishing warp did before it (its lanes are joined by __syncwarp first), and
// the publishing warp has finished reading what the others may now overwrite.

#pragma once

#include <climits>
#include <cstdint>

#include "halftone/gpu/common/lanes.h"

namespace halftoned::cuda {

class RingCounter {
 public:
  static constexpr int kAll = INT_MAX / 2;  // nothing more follows

  // Called by one thread, before the block's first barrier.
  __device__ void Reset() { steps_ = 0; }

  // Called by all lanes of the one warp that publishes.
  __device__ void Publish(int steps) {
    __syncwarp();
    if (threadIdx.x % kLanes == 0) {  // warpSize would make it a division
      asm volatile("st.release.cta.shared.s32 [%0], %1;" ::"r"(address()),
                   "r"(steps)
                   : "memory");
    }
  }

  __device__ int Reached() const {
    int steps;
    asm volatile("ld.acquire.cta.shared.s32 %0, [%1];"
                 : "=r"(steps)
                 : "r"(address())
                 : "memory");
    return steps;
  }

  // Reads the counter without ordering anything, and without delaying later
  // instructions.
  __device__ int Peek() const {
    int steps;
    asm volatile("ld.relaxed.cta.shared.s32 %0, [%1];"
                 : "=r"(steps)
                 : "r"(address()));
    return steps;
  }
  // Called by all lanes. Publishes and, with the same fence, makes the lanes'
  // earlier Peeks as good as Reached.
  __device__ void TrustAndPublish(int steps, int lane) {
    __syncwarp();
    asm volatile("fence.acq_rel.cta;" ::: "memory");
    if (lane == 0) {
      asm volatile("st.relaxed.cta.shared.s32 [%0], %1;" ::"r"(address()),
                   "r"(steps)
                   : "memory");
    }
  }

  // For warps that have time, ahead or behind: each look at shared memory takes
  // a turn that a wavefront on the same multiprocessor needs more.
  __device__ void SleepUntil(int steps, unsigned nanoseconds) const {
    while (Reached() < steps) __nanosleep(nanoseconds);
    __syncwarp();
  }

 private:
  __device__ uint32_t address() const {
    return static_cast<uint32_t>(__cvta_generic_to_shared(&steps_));
  }

  int steps_;
};

}  // namespace halftoned::cuda
