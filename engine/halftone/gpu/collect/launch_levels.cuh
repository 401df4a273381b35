// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements levels.cuh, and divides a batch into blocks and clusters.

#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "halftone/gpu/collect/collect_strips.cuh"
#include "halftone/gpu/collect/levels.cuh"
#include "halftone/gpu/common/job_table.cuh"
#include "halftone/gpu/common/test_delay.cuh"

namespace halftoned::cuda::collect {

// How a batch is launched.
struct Shape {
  unsigned blocks;
  unsigned cluster;      // blocks that reach each other's shared memory
  size_t dynamic_bytes;  // of shared memory
};

// The maximum dynamic shared memory of a block.
inline size_t MostDynamicBytes(bool has_clusters) {
  return has_clusters ? kTuning.dynamic_bytes : kMostTableBytes;
}

// A single band must be done soon: its strips are in clusters, if rows of
// states fit. Many bands must be done at the highest rate: as many blocks share
// a multiprocessor as can run at full speed. largest: the largest cluster that
// this GPU supports.
inline Shape ShapeOf(const Batch& batch, unsigned largest) {
  const auto strips = static_cast<unsigned>(batch.strips);
  const size_t tone = TableBytes(batch);
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

// Allows blocks of this kernel MostDynamicBytes of shared memory.
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

// Asks each GPU only once, because all kernels need the same.
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

template <class Kernel>
cudaError_t Prepare(Kernel kernel, unsigned* largest) {
  const cudaError_t error = LearnCluster(kernel, largest);
  if (error != cudaSuccess) return error;
  return AllowDynamic(kernel, *largest > 1);
}

template <class Levels>
cudaError_t LaunchLevels(const Batch& batch, cudaStream_t stream) {
  const auto kernel = CollectStrips<Levels>;
  unsigned largest;
  const cudaError_t error = Prepare(kernel, &largest);
  if (error != cudaSuccess) return error;
  Shape shape = ShapeOf(batch, largest);
  shape.cluster = ClusterToLaunch(shape.cluster);
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

template <class Levels>
cudaError_t ResidentBlocks(int* per_multiprocessor) {
  const auto kernel = CollectStrips<Levels>;
  unsigned largest;
  const cudaError_t error = Prepare(kernel, &largest);
  if (error != cudaSuccess) return error;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      per_multiprocessor, kernel, kTuning.threads,
      MostDynamicBytes(largest > 1));
}

}  // namespace halftoned::cuda::collect
