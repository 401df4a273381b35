// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel: one block per strip, one strip of each band in turn. A block has
// two waves and their helpers (wave_strip.cuh says what each hands on). Strips
// are numbered by a ticket that a block draws when it starts, so a strip waits
// only for strips whose blocks have started before it: the kernel cannot
// deadlock, however few blocks are resident.
//
// The warps of a block go to the multiprocessor's four schedulers in turn. The
// two waves are the third and fourth of six warps, so each has a scheduler to
// itself, and the next block's waves have the other two. More warps, even those
// that end immediately, would keep registers from the blocks of other kernels,
// such as `best` has.

// Versions, one A4 page of noise at 600 dpi on an H200, fine, median of the
// kernel:
//   1  a row a lane, fine in floats                              2.45 ms
//   2  the other states a step early, copies of the table, a
//      shorter chain, groups of 8 steps, no division in Publish  1.94
//   3  one code for all waves, groups of 16 steps                1.73
//   4  one addition from the sum above to white or black, distances
//      as integers, one fence a group                            1.55
//   5  no question for the lane at the head of a group           1.53
//   6  six warps, not eight                                      1.49
// What is left of a step is 91 cycles: 53 instructions, the chain down
// (fine.cuh) of some 55, and 12 for the ends of groups, which cost 190 each
// (groups of 8 steps against groups of 16; 32 are more than the cache of
// instructions holds). A strip starts 12.0 us after the one above it, where 192
// steps take 8.9.

#pragma once

#include <cstdint>

#include "halftone/gpu/common/job_table.cuh"
#include "halftone/gpu/spread/carry_word_loader.cuh"
#include "halftone/gpu/spread/pixel_word_loader.cuh"
#include "halftone/gpu/spread/wave.cuh"
#include "halftone/gpu/spread/wave_bit_storer.cuh"

namespace halftoned::cuda::spread {

inline constexpr int kWarps = 6;
inline constexpr int kThreads = kWarps * kLanes;
inline constexpr int kBlocksPerMultiprocessor = 2;  // bounds registers

__device__ inline void ResetRings(StripRings& rings, int32_t outside,
                                  const Passed& no_entry) {
  for (WaveRings& wave : rings.waves) {
    int32_t* pixels = &wave.pixels[0][0];
    constexpr int kPixels = sizeof(wave.pixels) / sizeof(int32_t);
    for (int i = threadIdx.x; i < kPixels; i += blockDim.x) {
      pixels[i] = outside;
    }
    uint32_t* samples = &wave.samples[0][0];
    constexpr int kWords = sizeof(wave.samples) / sizeof(uint32_t);
    for (int i = threadIdx.x; i < kWords; i += blockDim.x) samples[i] = 0;
    if (threadIdx.x < kStepsPerGroup) wave.no_entries[threadIdx.x] = no_entry;
    if (threadIdx.x == 0) {
      wave.staged.Reset();
      wave.walked.Reset();
      wave.stored.Reset();
    }
  }
  if (threadIdx.x == 0) rings.entered.Reset();
}

// A block's shared memory; behind it lies the table of pixel words.
template <class Method>
struct Shared {
  StripRings rings;
  typename Method::Tables tables;
  uint32_t ticket;
};

template <class Method>
__global__ void __launch_bounds__(kThreads, kBlocksPerMultiprocessor)
    SpreadStrips(const __grid_constant__ Batch batch,
                 const __grid_constant__ Parameters parameters) {
  extern __shared__ float4 memory[];
  auto& shared = *reinterpret_cast<Shared<Method>*>(memory);
  auto* tone = reinterpret_cast<int32_t*>(&shared + 1);
  StripRings& rings = shared.rings;

  if (threadIdx.x == 0) {
    shared.ticket = atomicAdd(batch.ticket, 1) + 1;  // fresh is -1
  }
  ResetRings(rings, Method::kOutside, {~Method::kSumMark, 0});
  shared.tables.Fill(parameters);
  __syncthreads();
  const uint32_t ticket = shared.ticket;
  const int number = static_cast<int>(ticket) / batch.jobs_count;
  const BandJob& job = batch.jobs[static_cast<int>(ticket) % batch.jobs_count];
  if (number >= StripsOf(job.rows, job.head)) return;
  CopyTable(job, tone);
  __syncthreads();

  const WaveStrip strip(job, number);
  const int role =
      static_cast<int>(threadIdx.x / kLanes + kWarps - kWaves) % kWarps;
  const TestDelay delay(ticket * kWarps + static_cast<uint32_t>(role));
  const int wave = role % kWaves;
  if (role < kWaves) {
    if (wave >= strip.waves) return;
    const int64_t row =
        job.first_row + strip.first_row(wave) + threadIdx.x % kLanes;
    Wave<Method>(rings, strip, wave, Method(shared.tables, parameters, row),
                 delay)
        .Run();
  } else if (role >= kWarps - kWaves) {
    if (wave >= strip.waves) return;
    if (job.deep) {
      PixelWordLoader<Pixels::k16Toned>(rings.waves[wave], strip, wave, tone,
                                        Method::kOutside, delay)
          .Run();
    } else {
      PixelWordLoader<Pixels::k8Toned>(rings.waves[wave], strip, wave, tone,
                                       Method::kOutside, delay)
          .Run();
    }
  } else if (role == kWaves) {
    CarryWordLoader<Method>(rings, strip, parameters.outside, delay).Run();
  } else {
    WaveBitStorer<Method::kBits>(rings, strip, delay).Run();
  }
}

}  // namespace halftoned::cuda::spread
