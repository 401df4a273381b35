// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/collect/launch_collecting.cuh"
#include "halftone/gpu/decide/decide_bands.cuh"
#include "halftone/gpu/host/runtime/launch.cuh"
#include "halftone/gpu/host/session/handed_rows.h"
#include "halftone/gpu/spread/launch_spreading.cuh"

namespace halftoned::cuda {

cudaError_t Launch(const Batch& batch, const Recipe& recipe,
                   cudaStream_t stream) {
  switch (KernelFor(recipe)) {
    case KernelKind::kCollecting:
      return LaunchCollecting(batch, recipe, stream);
    case KernelKind::kSpreading:
      return LaunchSpreading(batch, recipe, stream);
    case KernelKind::kDeciding:
      return LaunchDeciding(batch, recipe, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace halftoned::cuda
