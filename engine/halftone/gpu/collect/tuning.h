// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning parameters, each with the measurement that decided it.

#pragma once

#include <cstddef>

namespace halftoned::cuda::collect {

struct Tuning {
  int threads;        // of a block: four warps, one per role
  int blocks_per_mp;  // resident; bounds registers: with more, they spill
  // Blocks of a cluster. One A4 page at 600 dpi on an H200, by version 6 of the
  // kernel: 0.617, 0.585, 0.568, 0.558 and 0.553 ms with 1, 2, 4, 8 and 16; but
  // not every GPU with clusters must support 16.
  unsigned cluster;
  // Shared memory for tone and row of states: with this amount, a
  // multiprocessor of an H200 holds three blocks. 32 pages, by version 8: 710,
  // 821 and 773 Gpx/s with 2, 3 and 4 blocks.
  size_t dynamic_bytes;
};

inline constexpr Tuning kTuning = {.threads = 128,
                                   .blocks_per_mp = 4,
                                   .cluster = 8,
                                   .dynamic_bytes = size_t{37} << 10};

}  // namespace halftoned::cuda::collect
