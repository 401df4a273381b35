// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job's table (BandJob::tone) in a block's shared memory.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/band_job.h"
#include "halftone/gpu/common/pixel_term.h"

namespace halftoned::cuda {

inline constexpr size_t kMostTableBytes = kTermsOf16 * sizeof(int32_t);

// Room for the table of any of these jobs.
inline size_t TableBytes(const Batch& batch) {
  size_t terms = 0;
  for (int i = 0; i < batch.jobs_count; ++i) {
    const BandJob& job = batch.jobs[i];
    if (job.tone == nullptr) continue;
    terms = std::max<size_t>(terms, job.deep ? kTermsOf16 : kTermsOf8);
  }
  return terms * sizeof(int32_t);
}

// Called by all threads of the block. Precondition: the job has a table.
__device__ inline void CopyTable(const BandJob& job, int32_t* table) {
  const int entries = job.deep ? kTermsOf16 : kTermsOf8;
  for (int i = threadIdx.x; i < entries; i += blockDim.x) {
    table[i] = job.tone[i];
  }
}

}  // namespace halftoned::cuda
