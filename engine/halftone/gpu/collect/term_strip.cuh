// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the warps of a block share: one strip of a band, and its rings in
// shared memory. Steps are counted as in row_pairs.h; a ring holds the last
// steps of each row, so that a row's own lag is already taken out of its
// terms, and still in its bits.
//
// clang-format off
//
//   warp          gives                 through          to
//   pixel loader  terms of pixels       terms, staged    wavefront
//   carry loader  terms of row 0, with  terms, entered   wavefront
//                 the row above's share
//   wavefront     samples               samples, walked  bit storer, both loaders
//   bit storer    room                  stored           pixel loader, and by it
//                                                        the wavefront
//
// clang-format on

#pragma once

#include <cstdint>

#include "halftone/gpu/collect/cluster.cuh"
#include "halftone/gpu/collect/row_pairs.h"
#include "halftone/gpu/collect/slots.cuh"
#include "halftone/gpu/common/band_job.h"
#include "halftone/gpu/common/pixel_term.h"
#include "halftone/gpu/common/ring_counter.cuh"

namespace halftoned::cuda::collect {

// The padding makes the lanes' 16-byte reads (an odd number of 16 bytes apart)
// and 4-byte reads (an odd number of words apart) free of bank conflicts.
inline constexpr int kTermRing = 128;  // steps; a power of two
inline constexpr int kTermPitch = kTermRing + 4;
inline constexpr int kSampleRing = 16;  // words of 32 bits; a power of two
inline constexpr int kSamplePitch = kSampleRing + 1;

inline constexpr int kStepsPerBatch = 32;  // of the pixel loader
inline constexpr int kStepsPerEntry = 8;   // of the carry loader
inline constexpr int kStepsPerWalk = 16;   // of the wavefront
// The wavefront loads terms this many steps before it needs them.
inline constexpr int kTermsPerLoad = 4;

struct TermRings {
  alignas(16) int32_t terms[kRowsPerLane][kLanes][kTermPitch];
  uint32_t samples[kRowsPerLane][kLanes][kSamplePitch];
  // All rows but row 0 have their terms of these steps.
  Slots<kStepsPerBatch, kTermRing / kStepsPerBatch> staged;
  // All rows have their terms of these steps.
  Slots<kStepsPerEntry, kTermRing / kStepsPerEntry> entered;
  // The wavefront is done with these steps. The bit storer may be as many steps
  // behind as the samples' ring has room for.
  Slots<kStepsPerWalk, kSampleRing * 32 / kStepsPerWalk> walked;
  RingCounter stored;  // samples of the steps below may be written over
};

// One strip of a band.
struct TermStrip {
  const BandJob* job;
  int number;                 // in its band
  int rows;                   // 1 … kRowsPerStrip
  int steps;                  // of its wavefront, a multiple of kStepsPerBatch
  int last_row;               // whose states are handed on
  uint16_t* states_out;       // index 0 of them
  const uint32_t* states_in;  // null: zero errors above
  int pad_in;
  bool is_fed_by_cluster;  // states_in is in this block's shared memory
  int words_in;            // of two states, that the strip above writes there

  // row: in this block's shared memory, for the states of the strip above if
  // that strip is in the same cluster.
  __device__ TermStrip(const BandJob& band, int strip, uint16_t* row)
      : job(&band), number(strip) {
    const int strips = StripsOf(band.rows);
    const bool last = strip == strips - 1;
    const size_t states = StatesPerRow(band.width);
    rows = last ? LastRowInStrip(band.rows) + 1 : kRowsPerStrip;
    last_row = rows - 1;
    steps = StepsOf(last_row);
    const int rank = Cluster::Rank();
    is_fed_by_cluster = rank > 0;
    const uint16_t* in = is_fed_by_cluster ? row
                         : strip == 0
                             ? band.states_in
                             : band.states_between + states * (strip - 1);
    states_in = reinterpret_cast<const uint32_t*>(in);
    pad_in = strip == 0 ? band.pad_in : PadOf(kRowsPerStrip - 1);
    words_in = IndexOf(StepsOf(kRowsPerStrip - 1), kRowsPerStrip - 1) / 2;
    states_out = last ? band.states_out
                 : rank + 1 < Cluster::Size()
                     ? Cluster::AtRank(row, rank + 1)
                     : band.states_between + states * strip;
  }

  // Steps of a strip with this last row.
  __device__ int StepsOf(int row) const {
    return (job->width + LagOf(row) + kStepsPerBatch - 1) / kStepsPerBatch *
           kStepsPerBatch;
  }
  // Where the state of a step of this row lies in its row of states, if the
  // step begins a store.
  static __device__ int IndexOf(int step, int row) {
    return step - LagOf(row) / kStatesPerStore * kStatesPerStore;
  }

  __device__ int64_t first_row() const {
    return int64_t{number} * kRowsPerStrip;
  }
};

}  // namespace halftoned::cuda::collect
