// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build of the kernel with injected delays; linked by tests only.

#include "halftone/cuda/launch.cuh"
#include "halftone/cuda/launch_build.cuh"

namespace halftoned::cuda {

cudaError_t LaunchChaos(const Batch& batch, int levels, cudaStream_t stream) {
  return LaunchBuild<true>(batch, levels, stream);
}

}  // namespace halftoned::cuda
