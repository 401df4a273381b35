// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel: one block a strip, one strip of each band in turn, four warps a
// block: stager, entrant, wavefront and storer (strip.cuh says who gives what
// to whom). Strips are numbered by a ticket that a block draws when it starts,
// so a strip waits only for strips whose blocks have started before it: no
// number of resident blocks can lock up.
//
// A multiprocessor has four schedulers, and a warp's place in its block says
// which is its own. The wavefront is to have one for itself, so which warp is
// the wavefront turns from block to block of a multiprocessor.

// Versions, one A4 page at 600 dpi on an H200, median of the kernel:
//   1  two rows a lane; terms, entry and bits by helper warps      0.86 ms
//   2  helpers' addresses computed once, groups of 16 steps, both
//      loads of states out together, shorter sleeps                0.80
//   3  progress looked at ahead of need; stores of terms without
//      bank conflicts                                              0.79
//   4  groups of 32 steps                                          0.64

#ifndef HALFTONED_HALFTONE_CUDA_KERNEL_CUH_
#define HALFTONED_HALFTONE_CUDA_KERNEL_CUH_

#include <cstdint>

#include "halftone/cuda/entrant.cuh"
#include "halftone/cuda/quantize.cuh"
#include "halftone/cuda/stager.cuh"
#include "halftone/cuda/storer.cuh"
#include "halftone/cuda/tuning.h"
#include "halftone/cuda/wavefront.cuh"

namespace halftoned::cuda {

// The same place in each multiprocessor's own sequence of blocks.
__device__ inline uint32_t TakeTurn(uint32_t* turns) {
  uint32_t multiprocessor;
  asm("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  return atomicAdd(&turns[multiprocessor], 1);
}

// Left of the page, and in row 0 until it is entered, rings hold black pixels.
__device__ inline void ResetRings(Rings& rings) {
  int32_t* terms = &rings.terms[0][0][0];
  constexpr int kTerms = sizeof(rings.terms) / sizeof(int32_t);
  for (int i = threadIdx.x; i < kTerms; i += blockDim.x) {
    terms[i] = kTermOutside;
  }
  uint32_t* samples = &rings.samples[0][0][0];
  constexpr int kWords = sizeof(rings.samples) / sizeof(uint32_t);
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) samples[i] = 0;
  if (threadIdx.x == 0) {
    rings.staged.Reset();
    rings.entered.Reset();
    rings.walked.Reset();
    rings.stored.Reset();
  }
}

template <Pixels pixels>
__device__ void StageOrEnter(bool enter, Rings& rings, const Strip& strip,
                             const int32_t* tone) {
  if (enter) {
    Entrant<pixels>(rings, strip, tone).Run();
  } else {
    Stager<pixels>(rings, strip, tone).Run();
  }
}

__device__ inline void BringPixels(bool enter, Rings& rings, const Strip& strip,
                                   const int32_t* tone) {
  const bool toned = strip.job->tone != nullptr;
  if (strip.job->deep) {
    if (toned) {
      StageOrEnter<Pixels::k16Toned>(enter, rings, strip, tone);
    } else {
      StageOrEnter<Pixels::k16Plain>(enter, rings, strip, tone);
    }
  } else {
    if (toned) {
      StageOrEnter<Pixels::k8Toned>(enter, rings, strip, tone);
    } else {
      StageOrEnter<Pixels::k8Plain>(enter, rings, strip, tone);
    }
  }
}

__device__ inline void CopyTone(const BandJob& job, int32_t* tone) {
  if (job.tone == nullptr) return;
  const int terms = job.deep ? kTermsOf16 : kTermsOf8;
  for (int i = threadIdx.x; i < terms; i += blockDim.x) tone[i] = job.tone[i];
}

template <class Levels, bool chaos>
__global__ void __launch_bounds__(kTuning.threads, kTuning.blocks_per_mp)
    HalftoneStrips(const __grid_constant__ Batch batch) {
  __shared__ Rings rings;
  __shared__ uint32_t ticket;
  __shared__ uint32_t turn;
  extern __shared__ int32_t tone[];

  if (threadIdx.x == 0) {
    ticket = atomicAdd(batch.ticket, 1) + 1;  // fresh is -1
    turn = TakeTurn(batch.turns);
  }
  ResetRings(rings);
  __syncthreads();
  const int number = static_cast<int>(ticket) / batch.jobs_count;
  const BandJob& job = batch.jobs[static_cast<int>(ticket) % batch.jobs_count];
  if (number >= StripsOf(job.rows)) return;
  CopyTone(job, tone);
  __syncthreads();

  const Strip strip(job, number);
  const int role = (threadIdx.x / kLanes + turn) % 4;
  if (role == 0) {
    Wavefront<Levels, chaos>(rings, strip, batch.chaos + ticket).Run();
  } else if (role == 1) {
    Storer<Levels::kBits>(rings, strip).Run();
  } else {
    BringPixels(role == 3, rings, strip, tone);
  }
}

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_KERNEL_CUH_
