// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the second pass's planes of a carry, from rows of the window. Each
// thread makes one column.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/swap_job.h"

namespace halftoned::cuda::swap {

inline constexpr int kSaveThreads = 128;

__global__ void __launch_bounds__(kSaveThreads)
    SaveRows(const __grid_constant__ SwapJob job) {
  const int column = static_cast<int>(blockIdx.x) * kSaveThreads +
                     static_cast<int>(threadIdx.x);
  if (column >= job.width) return;
  constexpr int kRows = kBestRowsAbove + kBestRowsBelow;
  uint32_t first = 0;
  uint32_t swept = 0;
  uint32_t tones[kBestRowsAbove / 2] = {};
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int64_t row = job.carry_row - kBestRowsAbove + i;
    if (row < job.top_row) {
      continue;
    }
    const auto place = static_cast<size_t>(job.window.Place(row));
    const auto bit = [&](int plane) {
      const auto byte = static_cast<uint32_t>(
          job.window.bits[plane][place * job.window.bit_pitch +
                                 static_cast<size_t>(column) / 8]);
      return (byte >> (7 - column % 8) & 1) << (kRows - 1 - i);
    };
    if (i >= kBestRowsAbove - kBestRowsBelow) first |= bit(0);
    swept |= bit(1);
    if (i < kBestRowsAbove) {
      tones[i / 2] |=
          static_cast<uint32_t>(job.window.tones[place * job.window.tone_pitch +
                                                 static_cast<size_t>(column)])
          << i % 2 * 8;
    }
  }
  const auto put = [&](size_t plane, uint32_t value) {
    job.carry[(plane - kBestFirstBits) * static_cast<size_t>(job.width) +
              static_cast<size_t>(column)] = static_cast<int16_t>(value);
  };
  put(kBestFirstBits, first);
  put(kBestSweptBits, swept);
#pragma unroll
  for (int i = 0; i < kBestRowsAbove / 2; ++i) {
    put(kBestTones + static_cast<size_t>(i), tones[i]);
  }
}

}  // namespace halftoned::cuda::swap
