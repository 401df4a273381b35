// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts rows of samples of odd sizes to rows of bytes or 16-bit words.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace halftoned {

// Unpacks samples of `bits` bits, packed from the highest bit of the first byte
// on. bits: 1 … 8 to bytes, 1 … 16 to words. Values are not scaled.
void UnpackBits(const std::byte* packed, int bits, std::span<uint8_t> samples);
void UnpackBits(const std::byte* packed, int bits, std::span<uint16_t> samples);

// Rounds 32-bit samples to their upper half.
void NarrowIntegers(const std::byte* row, std::span<uint16_t> samples);

// Converts floating-point samples of 16, 32 or 64 bits: 0 … 1 becomes 0 …
// 65535; values outside are clipped, NaN becomes 0.
void NarrowFloats(const std::byte* row, int bits, std::span<uint16_t> samples);

// Inverts `width` packed bits; the unused bits of the last byte become 0.
void InvertBits(const std::byte* row, size_t width, uint8_t* inverted);

// Scales value / max_value to full_scale, rounded; max_value: 1 … full_scale.
constexpr uint32_t Scale(uint32_t value, uint32_t max_value,
                         uint32_t full_scale) {
  return static_cast<uint32_t>((uint64_t{value} * full_scale + max_value / 2) /
                               max_value);
}

// Swaps the bytes of big-endian words on a little-endian machine.
void SwapBigEndian16(std::span<uint16_t> words);

}  // namespace halftoned
