// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting either build of the kernel.

#ifndef HALFTONED_HALFTONE_CUDA_LAUNCH_BUILD_CUH_
#define HALFTONED_HALFTONE_CUDA_LAUNCH_BUILD_CUH_

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "halftone/cuda/kernel.cuh"

namespace halftoned::cuda {

// How a batch is launched.
struct Shape {
  unsigned blocks;
  unsigned cluster;      // blocks that reach each other's shared memory
  size_t dynamic_bytes;  // of shared memory
};

inline size_t ToneBytes(const Batch& batch) {
  size_t terms = 0;
  for (int i = 0; i < batch.jobs_count; ++i) {
    const BandJob& job = batch.jobs[i];
    if (job.tone == nullptr) continue;
    terms = std::max<size_t>(terms, job.deep ? kTermsOf16 : kTermsOf8);
  }
  return terms * sizeof(int32_t);
}

// The most dynamic shared memory that a block is given.
inline size_t MostDynamicBytes(bool has_clusters) {
  return has_clusters ? kTuning.dynamic_bytes : kTermsOf16 * sizeof(int32_t);
}

// One band is to be done soon: its strips in clusters, if rows of states fit.
// Of many bands as much as possible is to be done: so many blocks share a
// multiprocessor as leave each other the time that they need.
// largest: cluster that this GPU takes.
inline Shape ShapeOf(const Batch& batch, unsigned largest) {
  const auto strips = static_cast<unsigned>(batch.strips);
  const size_t tone = ToneBytes(batch);
  if (batch.jobs_count > 1) {
    return {strips * static_cast<unsigned>(batch.jobs_count), 1,
            MostDynamicBytes(largest > 1)};
  }
  const size_t row = RowBytes(batch.jobs[0].width);
  const unsigned cluster = ClusterOf(strips, largest);
  if (cluster == 1 || row + tone > kTuning.dynamic_bytes) {
    return {strips, 1, tone};
  }
  return {InClusters(strips, cluster), cluster, row + tone};
}

// Lets blocks of this kernel have what MostDynamicBytes says.
template <class Kernel>
cudaError_t AllowDynamic(Kernel kernel, bool has_clusters) {
  return cudaFuncSetAttribute(kernel,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(MostDynamicBytes(has_clusters)));
}

// A small GPU, or a part of one, takes smaller clusters than others, or none.
template <class Kernel>
cudaError_t AskForCluster(Kernel kernel, int device, unsigned* largest) {
  *largest = 1;
  int has_clusters;
  cudaError_t error =
      cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, device);
  if (error != cudaSuccess || has_clusters == 0) return error;
  error = AllowDynamic(kernel, true);
  if (error != cudaSuccess) return error;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(kTuning.cluster);
  config.blockDim = dim3(kTuning.threads);
  config.dynamicSmemBytes = kTuning.dynamic_bytes;
  int most;
  error = cudaOccupancyMaxPotentialClusterSize(&most, kernel, &config);
  if (error != cudaSuccess) return error;
  *largest = std::min(kTuning.cluster,
                      std::bit_floor(static_cast<unsigned>(std::max(most, 1))));
  return cudaSuccess;
}

// Asks each GPU once: the kernels need the same of it.
template <class Kernel>
cudaError_t LearnCluster(Kernel kernel, unsigned* largest) {
  static std::array<std::atomic<unsigned>, 64> known{};  // 0: not asked yet
  int device;
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  auto& answer = known[static_cast<size_t>(device) % known.size()];
  *largest = answer;
  if (*largest != 0) return cudaSuccess;
  error = AskForCluster(kernel, device, largest);
  if (error == cudaSuccess) answer = *largest;
  return error;
}

template <class Levels, bool chaos>
cudaError_t LaunchLevels(const Batch& batch, cudaStream_t stream) {
  const auto kernel = HalftoneStrips<Levels, chaos>;
  unsigned largest;
  cudaError_t error = LearnCluster(kernel, &largest);
  if (error != cudaSuccess) return error;
  error = AllowDynamic(kernel, largest > 1);
  if (error != cudaSuccess) return error;
  Shape shape = ShapeOf(batch, largest);
  // Half of the dawdling runs go without clusters.
  if (chaos && batch.chaos % 4 < 2) shape.cluster = 1;
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {shape.cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks);
  config.blockDim = dim3(kTuning.threads);
  config.dynamicSmemBytes = shape.dynamic_bytes;
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = shape.cluster > 1 ? 1 : 0;
  return cudaLaunchKernelEx(&config, kernel, batch);
}

template <bool chaos>
cudaError_t LaunchBuild(const Batch& batch, int levels, cudaStream_t stream) {
  switch (levels) {
    case 2:
      return LaunchLevels<TwoLevels, chaos>(batch, stream);
    case 4:
      return LaunchLevels<ManyLevels<4>, chaos>(batch, stream);
    case 8:
      return LaunchLevels<ManyLevels<8>, chaos>(batch, stream);
    case 16:
      return LaunchLevels<ManyLevels<16>, chaos>(batch, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_LAUNCH_BUILD_CUH_
