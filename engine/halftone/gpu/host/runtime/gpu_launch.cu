// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu.h's Launch, in a separate file, because a test has another one.

#include "halftone/gpu/host/runtime/gpu_outcome.cuh"
#include "halftone/gpu/host/runtime/launch.cuh"

namespace halftoned::cuda::gpu {

Outcome Launch(const Batch& batch, const Recipe& recipe, Stream* stream) {
  return OutcomeOf(cuda::Launch(batch, recipe, Cuda(stream)));
}

}  // namespace halftoned::cuda::gpu
