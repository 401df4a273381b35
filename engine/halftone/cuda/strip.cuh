// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the warps of a block share: one strip of a band, and its rings in
// shared memory. Steps are counted as in geometry.h; a ring holds the last
// steps of each row, so that a row's own lag is already taken out of its
// terms, and still in its bits.
//
//   warp     gives                 through             to
//   stager   terms of pixels       terms, staged       wavefront
//   entrant  terms of row 0, with  terms, entered      wavefront
//            the row above's share
//   wavefront  samples             samples, walked     storer, and both above
//   storer   room                  stored              wavefront

#ifndef HALFTONED_HALFTONE_CUDA_STRIP_CUH_
#define HALFTONED_HALFTONE_CUDA_STRIP_CUH_

#include <cstdint>

#include "halftone/cuda/band_job.h"
#include "halftone/cuda/geometry.h"
#include "halftone/cuda/progress.cuh"
#include "halftone/cuda/tone.h"

namespace halftoned::cuda {

// The padding makes the lanes' 16-byte reads (an odd number of 16 bytes apart)
// and 4-byte reads (an odd number of words apart) free of bank conflicts.
inline constexpr int kTermRing = 128;  // steps; a power of two
inline constexpr int kTermPitch = kTermRing + 4;
inline constexpr int kSampleRing = 16;  // words of 32 bits; a power of two
inline constexpr int kSamplePitch = kSampleRing + 1;

struct Rings {
  alignas(16) int32_t terms[kRowsPerLane][kLanes][kTermPitch];
  uint32_t samples[kRowsPerLane][kLanes][kSamplePitch];
  Progress staged;   // all rows but row 0 have their terms below this step
  Progress entered;  // row 0 has
  Progress walked;   // the wavefront is done with the steps below
  Progress stored;   // samples of the steps below may be written over
};

// Steps of the wavefront that are unrolled; after each group it publishes. The
// ends of a group cost 70 cycles, a step 22; but a group starts only when all
// its terms are there. 16384 x 16384 on an H200: 2.98 ms with 16, 2.13 with 32.
inline constexpr int kStepsPerGroup = 32;

// One strip of a band.
struct Strip {
  const BandJob* job;
  int number;                 // in its band
  int rows;                   // 1 … kRowsPerStrip
  int steps;                  // of its wavefront, a multiple of kStepsPerGroup
  int last_row;               // whose states are handed on
  uint16_t* states_out;       // index 0 of them
  const uint32_t* states_in;  // null: zero errors above
  int pad_in;

  __device__ Strip(const BandJob& band, int strip) : job(&band), number(strip) {
    const int strips = StripsOf(band.rows);
    const bool last = strip == strips - 1;
    const size_t states = StatesPerRow(band.width);
    rows = last ? LastRowInStrip(band.rows) + 1 : kRowsPerStrip;
    last_row = rows - 1;
    steps = (band.width + LagOf(last_row) + kStepsPerGroup - 1) /
            kStepsPerGroup * kStepsPerGroup;
    states_out = last ? band.states_out : band.states_between + states * strip;
    const uint16_t* in = strip == 0
                             ? band.states_in
                             : band.states_between + states * (strip - 1);
    states_in = reinterpret_cast<const uint32_t*>(in);
    pad_in = strip == 0 ? band.pad_in : PadOf(kRowsPerStrip - 1);
  }

  __device__ int64_t first_row() const {
    return int64_t{number} * kRowsPerStrip;
  }
};

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_STRIP_CUH_
