// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that the GPU starts together and that reach each other's shared
// memory: a cluster. On a GPU without clusters, and in a launch without them,
// each block is its own cluster.

#pragma once

namespace halftoned::cuda::collect {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900

struct Cluster {
  static __device__ int Size() { return 1; }
  static __device__ int Rank() { return 0; }
  static __device__ void Join() { __syncthreads(); }
  template <typename T>
  static __device__ T* AtRank(T* mine, int) {
    return mine;
  }
};

#else

struct Cluster {
  static __device__ int Size() {
    int size;
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(size));
    return size;
  }
  // A block's place in its cluster.
  static __device__ int Rank() {
    int rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
  }
  // Called by all threads of all blocks. Everything that a thread did before
  // Join happens before everything that any thread does after it.
  static __device__ void Join() {
    asm volatile(
        "barrier.cluster.arrive.release.aligned;\n"
        "barrier.cluster.wait.acquire.aligned;" ::
            : "memory");
  }
  // The address of `mine`, in shared memory, in the block at `rank`.
  template <typename T>
  static __device__ T* AtRank(T* mine, int rank) {
    T* its;
    asm("mapa.u64 %0, %1, %2;" : "=l"(its) : "l"(mine), "r"(rank));
    return its;
  }
};

#endif

}  // namespace halftoned::cuda::collect
