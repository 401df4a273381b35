// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's argument: bands, each with its memory on the device. Plain data,
// passed by value.

#pragma once

#include <cstddef>
#include <cstdint>

namespace halftoned::cuda {

// Every byte of state rows, verdict and ticket is set to this before the
// kernel may start: in a state row it means "not there yet".
inline constexpr int kFreshByte = 0xFF;

inline constexpr uint32_t kVerdictGood = 0xFFFFFFFF;
inline constexpr uint32_t kVerdictGaveUp = 0;

struct BandJob {
  const std::byte* gray;  // 16-byte aligned
  uint32_t gray_pitch;    // bytes, a multiple of 16
  uint32_t bits_pitch;    // bytes, a multiple of 16
  std::byte* bits;        // 16-byte aligned; whole 16-byte blocks are written
  int32_t width;          // columns, 1 … 2^18
  int32_t rows;           // at least 1
  int64_t first_row;      // its number on the page
  // The kernel that spreads errors also hands on its states below the first
  // `head` rows, at least 1, and then below every kRowsPerCut (row_waves.h)
  // rows. If this is the number of rows, the band is not cut.
  int32_t head;

  // The states above the first row, null at the start of a page. A kernel that
  // was launched earlier may still have to write them.
  const uint16_t* states_in;
  int32_t pad_in;  // index of column 0: 0 … 7

  // Where strip i leaves its last row, StatesPerRow(width) apart, except the
  // last strip, which leaves it in states_out. All 16-byte aligned, fresh.
  uint16_t* states_between;
  uint16_t* states_out;

  // The pixels' terms (pixel_term.h), null for the identity curve; or values
  // and a screen (screen_words.h).
  const int32_t* tone;
  bool deep;  // 16-bit samples

  uint32_t* verdict;           // fresh; kVerdictGaveUp after giving up
  const uint32_t* called_off;  // not 0: give up
  uint64_t patience_ns;        // wait for states_in no longer than this
};

struct Batch {
  static constexpr int kMaxJobs = 32;

  int32_t jobs_count;
  int32_t strips;    // of the tallest job
  uint32_t* ticket;  // fresh
  BandJob jobs[kMaxJobs];
};

}  // namespace halftoned::cuda
