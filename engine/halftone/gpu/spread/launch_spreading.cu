// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>

#include "halftone/gpu/spread/launch_spreading.cuh"
#include "halftone/gpu/spread/methods.cuh"

namespace halftoned::cuda {
namespace {

using spread::Clustered;
using spread::Collected;
using spread::Fine;
using spread::FineOnPaper;
using spread::LaunchMethod;
using spread::ResidentBlocks;

template <template <int> class Method>
cudaError_t LaunchForLevels(const Batch& batch, const Recipe& recipe,
                            cudaStream_t stream) {
  switch (recipe.levels().count) {
    case 2:
      return LaunchMethod<Method<2>>(batch, recipe, stream);
    case 4:
      return LaunchMethod<Method<4>>(batch, recipe, stream);
    case 8:
      return LaunchMethod<Method<8>>(batch, recipe, stream);
    case 16:
      return LaunchMethod<Method<16>>(batch, recipe, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

template <class Method>
cudaError_t LowerToResident(int* per_multiprocessor) {
  int blocks;
  const cudaError_t error = ResidentBlocks<Method>(&blocks);
  *per_multiprocessor = std::min(*per_multiprocessor, blocks);
  return error;
}

}  // namespace

cudaError_t LaunchSpreading(const Batch& batch, const Recipe& recipe,
                            cudaStream_t stream) {
  switch (recipe.algorithm()) {
    case Algorithm::kFloydSteinberg:
      return LaunchForLevels<Collected>(batch, recipe, stream);
    case Algorithm::kFine:
      if (recipe.has_feedback()) {
        return LaunchMethod<FineOnPaper>(batch, recipe, stream);
      }
      return LaunchForLevels<Fine>(batch, recipe, stream);
    case Algorithm::kClustered:
      return LaunchMethod<Clustered>(batch, recipe, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t ResidentSpreadingBlocks(int* per_multiprocessor) {
  *per_multiprocessor = 32;
  for (const cudaError_t error :
       {LowerToResident<Fine<2>>(per_multiprocessor),
        LowerToResident<Fine<4>>(per_multiprocessor),
        LowerToResident<Fine<8>>(per_multiprocessor),
        LowerToResident<Fine<16>>(per_multiprocessor),
        LowerToResident<FineOnPaper>(per_multiprocessor),
        LowerToResident<Collected<16>>(per_multiprocessor),
        LowerToResident<Clustered>(per_multiprocessor)}) {
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace halftoned::cuda
