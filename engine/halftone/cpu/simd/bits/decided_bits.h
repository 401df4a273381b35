// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pixels that are each decided by a limit of their own, as bits.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "halftone/cpu/simd/core.h"

namespace halftoned::simd {

// For each column, whether its sample is above its limit; the first column is
// the highest bit of the first byte. Decides whole vectors of columns and
// returns how many columns these are, a multiple of 8.
template <typename Sample>
using DecideBits = size_t (*)(std::span<const Sample> samples,
                              const Sample* limits, std::byte* bits);

// A target's code. Sample: uint8_t, uint16_t.
template <typename Sample>
DecideBits<Sample> DecideBitsOf(const Target& target);

}  // namespace halftoned::simd
