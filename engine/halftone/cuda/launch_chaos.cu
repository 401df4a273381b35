// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build of the kernels with injected delays; linked by tests only.

#include "halftone/cuda/bi_level.cuh"
#include "halftone/cuda/handed_rows.h"
#include "halftone/cuda/launch.cuh"
#include "halftone/cuda/launch_build.cuh"
#include "halftone/cuda/spread/launch.cuh"

namespace halftoned::cuda {

cudaError_t LaunchChaos(const Batch& batch, const Recipe& recipe,
                        cudaStream_t stream) {
  switch (KernelFor(recipe)) {
    case KernelKind::kCollecting:
      return LaunchBuild<true>(batch, recipe.levels().count, stream);
    case KernelKind::kSpreading:
      return spread::LaunchBuild<true>(batch, recipe, stream);
    case KernelKind::kDeciding:
      return LaunchBiLevel(batch, stream);  // nobody waits for anybody
  }
  return cudaErrorInvalidValue;
}

}  // namespace halftoned::cuda
