// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of samples of odd sizes, made into rows of bytes or 16-bit words.

#ifndef HALFTONED_TOOLS_IMAGE_SAMPLES_H_
#define HALFTONED_TOOLS_IMAGE_SAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace halftoned {

// Samples of `bits` bits, packed from the highest bit of the first byte on.
// bits: 1 … 8, and 1 … 16. Values are not scaled.
void UnpackBits(const std::byte* packed, int bits, std::span<uint8_t> samples);
void UnpackBits(const std::byte* packed, int bits, std::span<uint16_t> samples);

// 32-bit samples, of which the upper half is kept, rounded.
void NarrowIntegers(const std::byte* row, std::span<uint16_t> samples);

// Floating-point samples of 16, 32 or 64 bits: 0 … 1 becomes 0 … 65535; what
// lies outside is clipped, what is no number becomes 0.
void NarrowFloats(const std::byte* row, int bits, std::span<uint16_t> samples);

// The opposite of `width` packed bits; what is left of the last byte is 0.
void InvertBits(const std::byte* row, size_t width, uint8_t* inverted);

// value / max_value of full scale, rounded; max_value: 1 … full_scale.
constexpr uint32_t Scale(uint32_t value, uint32_t max_value,
                         uint32_t full_scale) {
  return static_cast<uint32_t>((uint64_t{value} * full_scale + max_value / 2) /
                               max_value);
}

// Turns big-endian words round where this machine is little-endian.
void SwapBigEndian16(std::span<uint16_t> words);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_SAMPLES_H_
