// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel: one block per strip, one strip of each band in turn, four warps
// per block: pixel loader, carry loader, wavefront and bit storer
// (term_strip.cuh says what each warp hands on). Strips are numbered by a
// ticket that a block draws when it starts, so a strip waits only for strips
// whose blocks have started before it: the kernel cannot deadlock, however few
// blocks are resident.
//
// Where the GPU has clusters, the blocks of a cluster draw one ticket together,
// for consecutive strips, and hand states on through each other's shared
// memory, which is faster than global memory.
//
// What limits it (H200, version 8, clocks read at the ends of phases): a
// wavefront that is alone on its multiprocessor takes 34 cycles a step, of
// which it issues in 19, for 19 instructions; with one more block beside it
// some 44, with two 57, though each has a scheduler for itself. A strip starts
// 3.7 us after the one above it, where 172 steps of lag and of whole stores
// take 2.9; the rest is the hand-off.

// A warp's place on its multiprocessor determines which of the four schedulers
// runs it. The wavefronts of a multiprocessor's blocks should have different
// schedulers, and should share none with a pixel loader (RoleOf).

// Versions, one A4 page at 600 dpi on an H200, median of the kernel:
//   1  two rows a lane; terms, entry and bits by helper warps      0.86 ms
//   2  helpers' addresses computed once, groups of 16 steps, both
//      loads of states out together, shorter sleeps                0.80
//   3  progress looked at ahead of need; stores of terms without
//      bank conflicts                                              0.79
//   4  groups of 32 steps                                          0.64
//   5  mbarriers between the warps, no look at shared memory and no
//      fence in the wavefront; loops known to be uniform; the left
//      border's lanes known while compiling                        0.61
//   6  clusters of 8 blocks                                        0.567
//   7  warps placed by the hardware's schedulers; where no lane is
//      left of the page any more, no look for such                 0.556
//   8  lanes 5 columns apart, not 6; terms looked for as late as
//      they are needed, for 8 steps, not 16                        0.496
//   9  states shuffled, not their weighted sums                    0.497
// The places of 7 alone: 0.67 -> 0.84 Tpx/s for 32 pages, and 2.11 -> 1.73 ms
// for 16384 x 16384 pixels; there the order of the tickets: 1.73 -> 1.54. Since
// 8 it takes 1.30 ms, while 32 pages, on whose wavefronts late shuffles weigh
// more than lag, go at 0.82 Tpx/s, since 9 at 0.85.

#pragma once

#include <cstdint>

#include "halftone/gpu/collect/carry_term_loader.cuh"
#include "halftone/gpu/collect/cluster.cuh"
#include "halftone/gpu/collect/pair_bit_storer.cuh"
#include "halftone/gpu/collect/pixel_term_loader.cuh"
#include "halftone/gpu/collect/tuning.h"
#include "halftone/gpu/collect/wavefront.cuh"
#include "halftone/gpu/common/job_table.cuh"
#include "halftone/gpu/common/quantize.cuh"
#include "halftone/gpu/common/warp_place.cuh"

namespace halftoned::cuda::collect {

enum Role : uint32_t { kWavefront, kBitStorer, kPixelLoader, kCarryLoader };

// place: the place of the block's first warp. Each block has each role once.
__device__ inline uint32_t RoleOf(uint32_t warp, uint32_t place) {
  // By the block's place among four, and by scheduler.
  constexpr Role kRoles[4][4] = {
      {kWavefront, kCarryLoader, kBitStorer, kPixelLoader},
      {kBitStorer, kWavefront, kCarryLoader, kPixelLoader},
      {kCarryLoader, kBitStorer, kWavefront, kPixelLoader},
      {kPixelLoader, kBitStorer, kCarryLoader, kWavefront}};
  uint32_t packed = 0;
  for (int i = 0; i < 16; ++i) packed |= kRoles[i / 4][i % 4] << (2 * i);
  return packed >> (place / 4 % 4 * 8 + (place + warp) % 4 * 2) & 3;
}

// Left of the page, and in row 0 until it is entered, rings hold black pixels.
__device__ inline void BeginRings(TermRings& rings) {
  int32_t* terms = &rings.terms[0][0][0];
  constexpr int kTerms = sizeof(rings.terms) / sizeof(int32_t);
  for (int i = threadIdx.x; i < kTerms; i += blockDim.x) {
    terms[i] = kTermOutside;
  }
  uint32_t* samples = &rings.samples[0][0][0];
  constexpr int kWords = sizeof(rings.samples) / sizeof(uint32_t);
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) samples[i] = 0;
  if (threadIdx.x == 0) {
    rings.staged.Begin();
    rings.entered.Begin();
    rings.walked.Begin();
    rings.stored.Reset();
  }
}

template <Pixels pixels>
__device__ __forceinline__ void LoadPixelsOrCarry(bool carry, TermRings& rings,
                                                  const TermStrip& strip,
                                                  const int32_t* tone,
                                                  int sample_room,
                                                  const TestDelay& delay) {
  if (carry) {
    CarryTermLoader<pixels>(rings, strip, tone, delay).Run();
  } else {
    PixelTermLoader<pixels>(rings, strip, tone, sample_room, delay).Run();
  }
}

__device__ __forceinline__ void BringPixels(bool carry, TermRings& rings,
                                            const TermStrip& strip,
                                            const int32_t* tone,
                                            int sample_room,
                                            const TestDelay& delay) {
  const bool toned = strip.job->tone != nullptr;
  if (strip.job->deep) {
    if (toned) {
      LoadPixelsOrCarry<Pixels::k16Toned>(carry, rings, strip, tone,
                                          sample_room, delay);
    } else {
      LoadPixelsOrCarry<Pixels::k16Plain>(carry, rings, strip, tone,
                                          sample_room, delay);
    }
  } else {
    if (toned) {
      LoadPixelsOrCarry<Pixels::k8Toned>(carry, rings, strip, tone, sample_room,
                                         delay);
    } else {
      LoadPixelsOrCarry<Pixels::k8Plain>(carry, rings, strip, tone, sample_room,
                                         delay);
    }
  }
}

// Bytes of the states' row in a block's shared memory.
HALFTONED_BOTH constexpr size_t RowBytes(int width) {
  return sizeof(uint16_t) * static_cast<size_t>(StatesPerRow(width));
}

// Marks the row as not handed on yet.
__device__ inline void BeginRow(uint4* row) {
  uint32_t bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  constexpr uint32_t kFresh = kFreshByte * 0x01010101u;
  for (uint32_t i = threadIdx.x; i < bytes / sizeof(uint4); i += blockDim.x) {
    row[i] = make_uint4(kFresh, kFresh, kFresh, kFresh);
  }
}

// Draws a ticket for all blocks of this cluster, which have all started.
__device__ inline void DrawTicket(const Batch& batch, uint32_t* ticket) {
  const uint32_t drawn = atomicAdd(batch.ticket, 1) + 1;  // fresh is -1
  for (int i = 0; i < Cluster::Size(); ++i) *Cluster::AtRank(ticket, i) = drawn;
}

// The GPU places several clusters on the same multiprocessors while others are
// idle. A page with more strips than multiprocessors has far from all of its
// strips at work, so blocks that are first on their multiprocessors draw first.
__device__ inline void LetOthersDraw(const Batch& batch, uint32_t place) {
  uint32_t multiprocessors;
  asm("mov.u32 %0, %%nsmid;" : "=r"(multiprocessors));
  if (static_cast<uint32_t>(batch.strips) <= multiprocessors) return;
  for (uint32_t i = 0; i < place / 4 * 10; ++i) __nanosleep(1000);
}

template <class Levels>
__global__ void __launch_bounds__(kTuning.threads, kTuning.blocks_per_mp)
    CollectStrips(const __grid_constant__ Batch batch) {
  __shared__ TermRings rings;
  __shared__ uint32_t ticket;
  __shared__ uint32_t place;
  // In a cluster, a row of states; then the tone.
  extern __shared__ uint4 dynamic[];

  const int size = Cluster::Size();
  Cluster::Join();
  if (threadIdx.x == 0) {
    place = PlaceOfWarp();
    if (Cluster::Rank() == 0) {
      if (size > 1) LetOthersDraw(batch, place);
      DrawTicket(batch, &ticket);
    }
  }
  BeginRings(rings);
  if (size > 1) BeginRow(dynamic);
  Cluster::Join();
  const int number =
      static_cast<int>(ticket) / batch.jobs_count * size + Cluster::Rank();
  const BandJob& job = batch.jobs[static_cast<int>(ticket) % batch.jobs_count];
  if (number >= StripsOf(job.rows)) return;
  const size_t row_bytes = size > 1 ? RowBytes(job.width) : 0;
  auto* tone = reinterpret_cast<int32_t*>(dynamic + row_bytes / sizeof(uint4));
  if (job.tone != nullptr) CopyTable(job, tone);
  __syncthreads();
  const TermStrip strip(job, number, reinterpret_cast<uint16_t*>(dynamic));
  // A shuffle tells the compiler that the number is the same in all lanes.
  const uint32_t warp = __shfl_sync(0xFFFFFFFFu, threadIdx.x / kLanes, 0);
  const uint32_t role = RoleOf(warp, place);
  const TestDelay delay((ticket * 16 + Cluster::Rank()) * 4 + role);
  if (role == kWavefront) {
    Wavefront<Levels>(rings, strip, delay).Run();
  } else if (role == kBitStorer) {
    PairBitStorer<Levels::kBits>(rings, strip, delay).Run();
  } else {
    BringPixels(role == kCarryLoader, rings, strip, tone,
                kSampleRing * 32 / Levels::kBits, delay);
  }
}

}  // namespace halftoned::cuda::collect
