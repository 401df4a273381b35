// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Delays that a test's build of the kernels injects into every warp's work, so
// that who is usually first comes last; none in the other build.

#ifndef HALFTONED_HALFTONE_CUDA_DAWDLER_CUH_
#define HALFTONED_HALFTONE_CUDA_DAWDLER_CUH_

#include <cstdint>

namespace halftoned::cuda {

template <bool chaos>
class Dawdler {
 public:
  // seed: the same in all lanes, another for each warp.
  __device__ explicit Dawdler(uint32_t seed) : random_(seed * 2654435761u) {}

  // 0 … 4 us, at about one call in sixteen.
  __device__ __forceinline__ void Dawdle() {
    if constexpr (chaos) {
      random_ = random_ * 1664525u + 1013904223u;
      if (random_ >> 28 == 0) __nanosleep(random_ >> 16 & 0xFFF);
    }
  }

 private:
  uint32_t random_;
};

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_DAWDLER_CUH_
