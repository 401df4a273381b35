// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The noise of a row (print_feedback.h), for one thread.

#pragma once

#include <cstdint>

#include "halftone/page/print_feedback.h"

namespace halftoned::cuda {

class RowNoise {
 public:
  // row: on the page. Begins `lag` columns left of it.
  __device__ RowNoise(int64_t row, int lag) : random_(RandomAtRow(row)) {
    for (int i = 0; i < lag; ++i) random_ *= kNoiseDivisor;
  }

  // The number of this column, for NoiseOf and DelayOf.
  __device__ uint32_t random() const { return random_ & 0xFFFF; }

  // NoiseOf, and on to the next column.
  __device__ int Next(int amplitude) {
    const int random = static_cast<int16_t>(random_ & 0xFFFF);
    random_ *= kNoiseFactor;
    return ((random * amplitude + 0x4000) >> 15) * kNoiseStep;
  }

 private:
  // The inverse of the factor, modulo 2^16.
  static constexpr uint32_t kNoiseDivisor = [] {
    uint32_t divisor = 1;
    while ((divisor * kNoiseFactor & 0xFFFF) != 1) divisor += 2;
    return divisor;
  }();

  // NoiseAtRow, for the device.
  static __device__ uint32_t RandomAtRow(int64_t row) {
    auto mixed = static_cast<uint32_t>(row) * 0x9E3779B1u;
    mixed = (mixed ^ (mixed >> 15)) * 0x85EBCA77u;
    return (mixed ^ (mixed >> 13)) | 1;
  }

  uint32_t random_;  // in the lower 16 bits
};

}  // namespace halftoned::cuda
