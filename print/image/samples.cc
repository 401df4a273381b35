// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/samples.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace halftoned {
namespace {

template <typename Sample>
void Unpack(const std::byte* packed, int bits, std::span<Sample> samples) {
  const uint32_t mask = (1u << bits) - 1;
  uint32_t window = 0;
  int in_window = 0;
  for (Sample& sample : samples) {
    while (in_window < bits) {
      window = window << 8 | std::to_integer<uint32_t>(*packed++);
      in_window += 8;
    }
    in_window -= bits;
    sample = static_cast<Sample>(window >> in_window & mask);
  }
}

// A special case: the general loop is too slow for whole pages of line art.
void UnpackSingleBits(const std::byte* packed, std::span<uint8_t> samples) {
  const size_t whole = samples.size() / 8;
  uint8_t* out = samples.data();
  for (size_t i = 0; i < whole; ++i, out += 8) {
    const auto byte = std::to_integer<unsigned>(packed[i]);
    for (int bit = 0; bit < 8; ++bit) {
      out[bit] = static_cast<uint8_t>(byte >> (7 - bit) & 1);
    }
  }
  Unpack(packed + whole, 1, samples.subspan(8 * whole));
}

double HalfToDouble(uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int fraction = half & 1023;
  const double sign = half & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction ? NAN : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

uint16_t ClipToUnit(double light) {
  if (!(light > 0)) return 0;
  if (light >= 1) return 65535;
  return static_cast<uint16_t>(light * 65535 + 0.5);
}

template <typename Value>
Value Load(const std::byte* row, size_t i) {
  Value value;
  std::memcpy(&value, row + i * sizeof(Value), sizeof(Value));
  return value;
}

}  // namespace

void UnpackBits(const std::byte* packed, int bits, std::span<uint8_t> samples) {
  if (bits == 1) return UnpackSingleBits(packed, samples);
  Unpack(packed, bits, samples);
}

void UnpackBits(const std::byte* packed, int bits,
                std::span<uint16_t> samples) {
  Unpack(packed, bits, samples);
}

void NarrowIntegers(const std::byte* row, std::span<uint16_t> samples) {
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i] =
        static_cast<uint16_t>(Scale(Load<uint32_t>(row, i), 0xffffffff, 65535));
  }
}

void NarrowFloats(const std::byte* row, int bits, std::span<uint16_t> samples) {
  for (size_t i = 0; i < samples.size(); ++i) {
    const double light = bits == 16   ? HalfToDouble(Load<uint16_t>(row, i))
                         : bits == 32 ? double{Load<float>(row, i)}
                                      : Load<double>(row, i);
    samples[i] = ClipToUnit(light);
  }
}

void InvertBits(const std::byte* row, size_t width, uint8_t* inverted) {
  const size_t bytes = (width + 7) / 8;
  for (size_t i = 0; i < bytes; ++i) {
    inverted[i] = static_cast<uint8_t>(~std::to_integer<unsigned>(row[i]));
  }
  if (const size_t rest = width % 8; rest != 0) {
    inverted[bytes - 1] &= static_cast<uint8_t>(0xff00 >> rest);
  }
}

void SwapBigEndian16(std::span<uint16_t> words) {
  if constexpr (std::endian::native == std::endian::little) {
    for (uint16_t& word : words) {
      word = static_cast<uint16_t>(word << 8 | word >> 8);
    }
  }
}

}  // namespace halftoned
