// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>

#include "halftone/gpu/common/job_table.cuh"
#include "halftone/gpu/common/samples.cuh"
#include "halftone/gpu/decide/bi_level.cuh"

namespace halftoned::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kWordColumns = 32;

// The bits of a chunk, the first column's the highest of `Gray::kPerChunk`.
template <class Gray, int pair = 0>
__device__ uint32_t ChunkBits(const uint4& chunk, const int32_t* values) {
  if constexpr (pair == Gray::kPerChunk / 2) {
    return 0;
  } else {
    const int2 v = Gray::template PairOfTerms<pair>(chunk, values);
    const uint32_t two = (v.x > kWhite / 2 ? 2 : 0) | (v.y > kWhite / 2);
    return two << (Gray::kPerChunk - 2 - 2 * pair) |
           ChunkBits<Gray, pair + 1>(chunk, values);
  }
}

template <class Gray>
__device__ uint32_t WordBits(const BandJob& job, const std::byte* row,
                             int column, const int32_t* values) {
  uint32_t bits = 0;
  for (int first = 0; first < kWordColumns; first += Gray::kPerChunk) {
    uint4 chunk = make_uint4(0, 0, 0, 0);
    const int at = column + first;
    if (at < job.width) {
      chunk = __ldg(reinterpret_cast<const uint4*>(
          row + static_cast<size_t>(at) * Gray::kBytes));
    }
    bits = bits << Gray::kPerChunk | ChunkBits<Gray>(chunk, values);
  }
  const int left = job.width - column;
  const uint32_t mask = left >= 32 ? ~0u : left <= 0 ? 0u : ~(~0u >> left);
  return __byte_perm(bits & mask, 0, 0x0123);
}

template <class Gray>
__device__ void DecideRows(const BandJob& job, const int32_t* values) {
  const int64_t words_per_row = job.bits_pitch / sizeof(uint32_t);
  const int64_t words = words_per_row * job.rows;
  const int64_t stride = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < words;
       i += stride) {
    const int64_t row = i / words_per_row;
    const int column = static_cast<int>(i % words_per_row) * kWordColumns;
    reinterpret_cast<uint32_t*>(job.bits)[i] =
        WordBits<Gray>(job, job.gray + row * job.gray_pitch, column, values);
  }
}

}  // namespace

// Not in the unnamed namespace, which nvcc names after the file's path.
__global__ void __launch_bounds__(kThreads)
    DecideBands(const __grid_constant__ Batch batch) {
  __shared__ int32_t values[kTermsOf16];
  const BandJob& job = batch.jobs[blockIdx.y];
  CopyTable(job, values);
  __syncthreads();
  if (job.deep) {
    DecideRows<Samples<Pixels::k16Toned>>(job, values);
  } else {
    DecideRows<Samples<Pixels::k8Toned>>(job, values);
  }
}

cudaError_t LaunchBiLevel(const Batch& batch, cudaStream_t stream) {
  constexpr unsigned kBlocks = 512;  // more than are resident at once
  const dim3 grid(kBlocks, static_cast<unsigned>(batch.jobs_count));
  DecideBands<<<grid, kThreads, 0, stream>>>(batch);
  return cudaGetLastError();
}

}  // namespace halftoned::cuda
