// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a carry loader, which alone waits for anything outside its block,
// may wait. If the wait fails, the band's verdict says so.

#pragma once

#include <cstdint>

#include "halftone/gpu/common/band_job.h"

namespace halftoned::cuda {

// Checks the clock and the job's call-off word, but not in every iteration.
class Patience {
 public:
  __device__ explicit Patience(const BandJob& job) : job_(job) {}

  // Whether to go on waiting. Once false, always false.
  __device__ bool Lasts() {
    if (++turns_ % kTurns != 0 && turns_ > 1) return !lost_;
    const uint64_t now = Nanoseconds();
    if (turns_ == 1) start_ = now;
    if (now - start_ > job_.patience_ns || Flag(job_.called_off) != 0 ||
        Flag(job_.verdict) == kVerdictGaveUp) {
      lost_ = true;
      asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(job_.verdict),
                   "r"(kVerdictGaveUp));
    }
    return !lost_;
  }

 private:
  static constexpr uint32_t kTurns = 1024;

  static __device__ uint64_t Nanoseconds() {
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  }
  static __device__ uint32_t Flag(const uint32_t* word) {
    uint32_t value;
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];"
                 : "=r"(value)
                 : "l"(word));
    return value;
  }

  const BandJob& job_;
  uint64_t start_ = 0;
  uint32_t turns_ = 0;
  bool lost_ = false;
};

}  // namespace halftoned::cuda
