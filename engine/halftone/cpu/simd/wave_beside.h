// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wave's own memory.

#pragma once

#include <cstdint>

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/wave.h"

namespace halftoned::simd {

// Buffers for rows at their ends, and tables of pointers for every slot.
struct Wave::Beside {
  const uint8_t* strip_gray[kMaxSlots];
  const uint8_t* seam_gray[kMaxSlots];
  uint8_t* strip_bits[kMaxSlots];
  uint8_t* bits_run[kMaxSlots];
  alignas(64) uint8_t gray[kMaxSlots][2 * (kSeam + kChunk) + 64];
  alignas(64) uint8_t bits[kMaxSlots * kRun / 8 * kMaxSampleBits];
  alignas(64) uint32_t outside[kBlock * kMaxVectors];
  alignas(64) uint32_t begins[kBlock * kMaxVectors];
  alignas(64) uint32_t ends[kBlock * kMaxVectors];
  alignas(64) uint16_t noise[kMaxSlots];
  alignas(64) uint16_t above[kMaxPlanes][kBlock + 2 + 32];
  alignas(64) uint16_t below[kMaxPlanes][kBlock + 2];
  alignas(64) uint16_t lowest[kBlock + 2];
  alignas(64) uint16_t states[kMaxPlanes][kBlock * kMaxSlots];
};

}  // namespace halftoned::simd
