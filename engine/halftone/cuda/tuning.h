// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is tuned, with the measurement that decided it.

#ifndef HALFTONED_HALFTONE_CUDA_TUNING_H_
#define HALFTONED_HALFTONE_CUDA_TUNING_H_

namespace halftoned::cuda {

struct Tuning {
  int threads;        // a block: four warps, one a role
  int blocks_per_mp;  // resident at once, bounds registers
};

// H200: shared memory has room for five blocks, and so have the registers.
inline constexpr Tuning kTuning = {.threads = 128, .blocks_per_mp = 5};

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_TUNING_H_
