// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the warps of a block share: one strip of a band, and the rings of its
// waves in shared memory. Steps are those of the wave that a ring belongs to;
// a ring holds the last steps of each row, so that a row's own lag is already
// taken out of its pixels, and still in its samples.
//
//   warp          gives          through            to
//   pixel loader  pixel words    pixels, staged     its wave
//   carry loader  the row above  entries, entered   the first wave
//   wave          its last row   entries, walked    the next wave
//   wave          samples        samples, walked    bit storer
//   bit storer    room           stored             wave

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/band_job.h"
#include "halftone/gpu/common/ring_counter.cuh"
#include "halftone/gpu/spread/row_waves.h"

namespace halftoned::cuda::spread {

// The padding makes the lanes' 16-byte reads (an odd number of 16 bytes apart)
// and 4-byte reads (an odd number of words apart) free of bank conflicts.
inline constexpr int kPixelRing = 128;  // steps; a power of two
inline constexpr int kPixelPitch = kPixelRing + 4;
inline constexpr int kSampleRing = 16;  // words of 32 bits; a power of two
inline constexpr int kSamplePitch = kSampleRing + 1;
inline constexpr int kEntryRing = 128;  // columns; a power of two

// Steps of a wave that are unrolled; after each group it publishes.
inline constexpr int kStepsPerGroup = 16;
static_assert(kWaveLag % kStepsPerGroup == 0);

// What a pixel gets from the row above, in the method's own format.
struct alignas(8) Passed {
  uint32_t sum;    // of errors
  uint32_t other;  // of the other states near the column
};

// What a method needs in addition to pixels, the same for a whole launch:
// numbers in its own format.
struct OwnParameters {
  int32_t number[4];
};

struct Parameters {
  uint32_t outside;  // the word of a column that is not on the page
  OwnParameters own;
};

struct WaveRings {
  alignas(16) int32_t pixels[kLanes][kPixelPitch];
  uint32_t samples[kLanes][kSamplePitch];
  alignas(16) Passed entries[kEntryRing];  // of the first lane
  alignas(16) Passed
      no_entries[kStepsPerGroup];  // of the others: the mark alone
  RingCounter staged;
  RingCounter walked;
  RingCounter stored;  // samples of the steps below may be written over
};

struct StripRings {
  WaveRings waves[kWaves];
  RingCounter entered;  // columns of the first wave's entries
};

// One strip of a band.
struct WaveStrip {
  const BandJob* job;
  int number;                 // in its band
  int rows;                   // 1 … kRowsPerStrip
  int waves;                  // 1 … kWaves
  int last_lane;              // of the last wave; its states are handed on
  uint32_t* states_out;       // index 0 of them
  const uint32_t* states_in;  // null: nothing above
  int pad_in;

  __device__ WaveStrip(const BandJob& band, int strip)
      : job(&band), number(strip) {
    const bool last = strip == StripsOf(band.rows, band.head) - 1;
    const size_t words = WordsPerRow(band.width);
    first_row_ = FirstRowOf(strip, band.head);
    rows = EndRowOf(strip, band.rows, band.head) - first_row_;
    waves = (rows + kRowsPerWave - 1) / kRowsPerWave;
    last_lane = LastLane(rows);
    auto* between = reinterpret_cast<uint32_t*>(band.states_between);
    states_out = last ? reinterpret_cast<uint32_t*>(band.states_out)
                      : between + words * strip;
    states_in = strip == 0 ? reinterpret_cast<const uint32_t*>(band.states_in)
                           : between + words * (strip - 1);
    pad_in =
        strip == 0 ? band.pad_in : PadBelow(strip - 1, band.rows, band.head);
  }

  __device__ int rows_in(int wave) const {
    return min(rows - wave * kRowsPerWave, kRowsPerWave);
  }
  __device__ int64_t first_row(int wave) const {
    return int64_t{first_row_} + wave * kRowsPerWave;
  }
  // The number of steps of a wave: enough for the next wave to have an entry
  // for each of its steps, and for the last row's last sum to be complete.
  __device__ int steps(int wave) const {
    const int last = job->width + LagOf(last_lane) + kSumLag;
    return (last + kStepsPerGroup - 1) / kStepsPerGroup * kStepsPerGroup +
           (waves - 1 - wave) * kWaveLag;
  }

 private:
  int first_row_;
};

}  // namespace halftoned::cuda::spread
