// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting either build of the kernel that spreads errors, for each of the
// recipes that it serves.

#ifndef HALFTONED_HALFTONE_CUDA_SPREAD_LAUNCH_CUH_
#define HALFTONED_HALFTONE_CUDA_SPREAD_LAUNCH_CUH_

#include <cuda_runtime_api.h>

#include "halftone/cuda/handed_rows.h"
#include "halftone/cuda/launch_build.cuh"
#include "halftone/cuda/spread/clustered.cuh"
#include "halftone/cuda/spread/collected.cuh"
#include "halftone/cuda/spread/fine.cuh"
#include "halftone/cuda/spread/kernel.cuh"
#include "halftone/cuda/spread/printer_model.cuh"
#include "halftone/recipe.h"

namespace halftoned::cuda::spread {

// Of shared memory, with the largest table of pixel words.
template <class Method>
constexpr size_t MostBytes() {
  return sizeof(Shared<Method>) + kTermsOf16 * sizeof(int32_t);
}

template <class Method, bool chaos>
cudaError_t AllowMostBytes() {
  return cudaFuncSetAttribute(SpreadStrips<Method, chaos>,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(MostBytes<Method>()));
}

template <class Method, bool chaos>
cudaError_t LaunchMethod(const Batch& batch, const Parameters& parameters,
                         cudaStream_t stream) {
  const cudaError_t error = AllowMostBytes<Method, chaos>();
  if (error != cudaSuccess) return error;
  const unsigned blocks =
      static_cast<unsigned>(batch.strips) * batch.jobs_count;
  SpreadStrips<Method, chaos>
      <<<blocks, kThreads, sizeof(Shared<Method>) + ToneBytes(batch), stream>>>(
          batch, parameters);
  return cudaGetLastError();
}

template <bool chaos>
cudaError_t LaunchCollected(const Batch& batch, const Parameters& parameters,
                            int levels, cudaStream_t stream) {
  switch (levels) {
    case 2:
      return LaunchMethod<Collected<2>, chaos>(batch, parameters, stream);
    case 4:
      return LaunchMethod<Collected<4>, chaos>(batch, parameters, stream);
    case 8:
      return LaunchMethod<Collected<8>, chaos>(batch, parameters, stream);
    case 16:
      return LaunchMethod<Collected<16>, chaos>(batch, parameters, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

inline void SetShape(int cluster_size, Parameters& parameters) {
  const ClusterShape shape = ClusterShapeOf(cluster_size);
  parameters.own[Clustered::kTable] =
      static_cast<int32_t>(ClusterTableOf(cluster_size));
  parameters.own[Clustered::kColumns] = shape.columns;
  parameters.own[Clustered::kRows] = shape.rows;
  parameters.own[Clustered::kMissing] = shape.missing;
}

template <bool chaos>
cudaError_t LaunchBuild(const Batch& batch, const Recipe& recipe,
                        cudaStream_t stream) {
  Parameters parameters{OutsideState(recipe), {}};
  switch (recipe.algorithm()) {
    case Algorithm::kFloydSteinberg:
      return LaunchCollected<chaos>(batch, parameters, recipe.levels().count,
                                    stream);
    case Algorithm::kFine:
      return LaunchMethod<Fine, chaos>(batch, parameters, stream);
    case Algorithm::kClustered:
      SetShape(recipe.parameter(Recipe::kClusterSize), parameters);
      return LaunchMethod<Clustered, chaos>(batch, parameters, stream);
    case Algorithm::kPrinterModel:
      parameters.own[0] = recipe.parameter(Recipe::kInk);
      parameters.own[1] = recipe.parameter(Recipe::kOverlap);
      return LaunchMethod<PrinterModel, chaos>(batch, parameters, stream);
    case Algorithm::kBiLevel:
      break;
  }
  return cudaErrorInvalidValue;
}

}  // namespace halftoned::cuda::spread

#endif  // HALFTONED_HALFTONE_CUDA_SPREAD_LAUNCH_CUH_
