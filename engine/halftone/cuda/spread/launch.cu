// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cuda/launch.cuh"
#include "halftone/cuda/spread/launch.cuh"

namespace halftoned::cuda {
namespace {

template <class Method>
cudaError_t LowerToResident(int* per_multiprocessor) {
  cudaError_t error = spread::AllowMostBytes<Method, false>();
  int blocks = 0;
  if (error == cudaErrorInvalidValue) {  // more than this GPU's blocks may have
    error = cudaSuccess;
    static_cast<void>(cudaGetLastError());
  } else if (error == cudaSuccess) {
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, spread::SpreadStrips<Method, false>, spread::kThreads,
        spread::MostBytes<Method>());
  }
  *per_multiprocessor = std::min(*per_multiprocessor, blocks);
  return error;
}

}  // namespace

cudaError_t LaunchSpread(const Batch& batch, const Recipe& recipe,
                         cudaStream_t stream) {
  return spread::LaunchBuild<false>(batch, recipe, stream);
}

cudaError_t ResidentSpreadBlocks(int* per_multiprocessor) {
  *per_multiprocessor = 32;
  for (const cudaError_t error :
       {LowerToResident<spread::Fine>(per_multiprocessor),
        LowerToResident<spread::Collected<16>>(per_multiprocessor),
        LowerToResident<spread::Clustered>(per_multiprocessor),
        LowerToResident<spread::PrinterModel>(per_multiprocessor)}) {
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace halftoned::cuda
