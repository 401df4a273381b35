// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a warp of a block has come, told to the block's other warps: its
// steps are in slots of equal length, in a ring with one mbarrier per slot. A
// warp that waits here takes no turns from the warps that work, unlike one that
// polls shared memory (ring_counter.cuh), and a warp that publishes does not
// wait, unlike at a fence.
//
// Arriving is a release and waiting an acquire at cta scope: a warp that has
// seen a slot done sees all that the whole publishing warp did before it (its
// lanes are joined by __syncwarp first), and the publishing warp has finished
// reading what the others may now overwrite.
//
// A barrier knows only whether its phase is even or odd. So slot n + kCount is
// published only after all warps have waited for slot n for the last time.

#pragma once

#include <cstdint>

#include "halftone/gpu/collect/row_pairs.h"
#include "halftone/gpu/common/ring_counter.cuh"

namespace halftoned::cuda::collect {

template <int steps, int count>
class Slots {
 public:
  static constexpr int kSteps = steps;
  static constexpr int kCount = count;
  static_assert((count & (count - 1)) == 0);

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  // There are no mbarriers: a count of slots.
  __device__ void Begin() { done_.Reset(); }
  __device__ void Publish(int slot) { done_.Publish(slot + 1); }
  __device__ void PublishIf(bool is_done, int slot) {
    if (is_done) Publish(slot);
  }
  __device__ bool IsDone(int slot) const { return done_.Reached() > slot; }
#else
  // Called by one thread, before the others begin.
  __device__ void Begin() {
    for (int slot = 0; slot < kCount; ++slot) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(At(slot))
                   : "memory");
    }
  }
  // Called by all lanes of the one warp that publishes, in the order of slots.
  __device__ void Publish(int slot) { PublishIf(true, slot); }
  __device__ void PublishIf(bool is_done, int slot) {
    __syncwarp();
    asm volatile(
        "{\n"
        "  .reg .pred is_first;\n"
        "  .reg .b64 state;\n"
        "  setp.eq.u32 is_first, %1, 0;\n"
        "  @is_first mbarrier.arrive.shared::cta.b64 state, [%0];\n"
        "}" ::"r"(At(slot)),
        "r"(is_done ? threadIdx.x % kLanes : 1)
        : "memory");
  }

  // Whether the slot is done. Does not wait.
  __device__ bool IsDone(int slot) const {
    uint32_t done;
    asm volatile(
        "{\n"
        "  .reg .pred done;\n"
        "  mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;\n"
        "  selp.u32 %0, 1, 0, done;\n"
        "}"
        : "=r"(done)
        : "r"(At(slot)), "r"(Parity(slot))
        : "memory");
    return done != 0;
  }
#endif

  __device__ void Wait(int slot) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    while (!IsDone(slot)) __nanosleep(20);
    __syncwarp();
#else
    uint32_t done;
    do {
      asm volatile(
          "{\n"
          "  .reg .pred done;\n"
          "  mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
          "  selp.u32 %0, 1, 0, done;\n"
          "}"
          : "=r"(done)
          : "r"(At(slot)), "r"(Parity(slot))
          : "memory");
    } while (done == 0);
#endif
  }

  // Waits until all steps below `step` are done.
  __device__ void WaitBelow(int step) const {
    if (step > 0) Wait((step - 1) / kSteps);
  }

 private:
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  RingCounter done_;
#else
  __device__ uint32_t At(int slot) const {
    return static_cast<uint32_t>(__cvta_generic_to_shared(
        &barriers_[static_cast<uint32_t>(slot) % kCount]));
  }
  static __device__ uint32_t Parity(int slot) {
    return static_cast<uint32_t>(slot) / kCount & 1;
  }

  uint64_t barriers_[kCount];
#endif
};

}  // namespace halftoned::cuda::collect
