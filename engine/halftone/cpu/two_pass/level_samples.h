// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of `best` with more than two levels: between packed samples and bits,
// which say whether a pixel has the upper one of the two levels around its
// value. Eight pixels at a time, each in a byte of a word, the first in the
// lowest.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace halftoned {

static_assert(std::endian::native == std::endian::little);

// Both samples of a pixel in a byte, the lower level's in the lower half.
constexpr uint64_t kHalves = 0x0f0f0f0f0f0f0f0f;

// Copies the packed samples of eight pixels, or of the last pixels of a row. A
// constant size makes it several times as fast.
template <int bits_per_sample>
void CopyPacked(void* to, const void* from, size_t bytes) {
  if (bytes >= bits_per_sample) {
    std::memcpy(to, from, bits_per_sample);
  } else {
    std::memcpy(to, from, bytes);
  }
}

template <int bits_per_sample>
uint64_t UnpackSamples(const std::byte* packed, size_t bytes) {
  uint32_t packed_word = 0;
  CopyPacked<bits_per_sample>(&packed_word, packed, bytes);
  uint64_t word = packed_word;
  if constexpr (bits_per_sample == 2) {
    word = (word | word << 24) & 0x000000ff000000ff;
  } else {
    word = (word | word << 16) & 0x0000ffff0000ffff;
    word = (word | word << 8) & 0x00ff00ff00ff00ff;
    return (word >> 4 | word << 8) & kHalves;
  }
  word = (word >> 4 | word << 16) & 0x000f000f000f000f;
  return (word >> 2 | word << 8) & 0x0303030303030303;
}

template <int bits_per_sample>
void PackSamples(uint64_t word, std::byte* packed, size_t bytes) {
  if constexpr (bits_per_sample == 2) {
    word = (word << 2 | word >> 8) & 0x000f000f000f000f;
    word = (word << 4 | word >> 16) & 0x000000ff000000ff;
    word |= word >> 24;
  } else {
    word = (word << 4 | word >> 8) & 0x00ff00ff00ff00ff;
    word = (word | word >> 8) & 0x0000ffff0000ffff;
    word |= word >> 16;
  }
  CopyPacked<bits_per_sample>(packed, &word, bytes);
}

// `both` can be read, and is 0, up to 7 bytes beyond the row.
template <int bits_per_sample>
void SamplesToBits(const std::byte* samples, const std::byte* both,
                   int32_t width, std::byte* bits) {
  const auto end = (static_cast<size_t>(width) * bits_per_sample + 7) / 8;
  for (size_t at = 0; at < end; at += bits_per_sample) {
    uint64_t word;
    std::memcpy(&word, both + at * 8 / bits_per_sample, sizeof(word));
    word = (word & kHalves) ^
           UnpackSamples<bits_per_sample>(samples + at, end - at);
    // 1 in a byte if the sample is not the lower level's.
    word = (word + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
    bits[at / bits_per_sample] =
        static_cast<std::byte>(word * 0x8040201008040201 >> 56);
  }
}

template <int bits_per_sample>
void BitsToSamples(const std::byte* bits, const std::byte* both, int32_t width,
                   std::byte* samples) {
  const auto end = (static_cast<size_t>(width) * bits_per_sample + 7) / 8;
  for (size_t at = 0; at < end; at += bits_per_sample) {
    uint64_t word;
    std::memcpy(&word, both + at * 8 / bits_per_sample, sizeof(word));
    // 15 in a byte if the bit is 1.
    const auto eight = std::to_integer<uint64_t>(bits[at / bits_per_sample]);
    uint64_t upper = eight * 0x0101010101010101 & 0x0102040810204080;
    upper = ((upper + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101) * 15;
    PackSamples<bits_per_sample>(
        ((word >> 4 & upper) | (word & ~upper)) & kHalves, samples + at,
        end - at);
  }
}

}  // namespace halftoned
