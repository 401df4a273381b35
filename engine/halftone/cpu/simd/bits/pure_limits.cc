// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>

#include "halftone/cpu/simd/bits/pure_bits.h"

namespace halftoned::simd {
namespace {

uint32_t HighestSample(Depth depth) { return depth == Depth::k8 ? 255 : 65535; }

// Whether black comes first, white last, and neither lies in between.
template <typename Values>
bool Parts(const Values& values) {
  const auto is_black = [](int value) { return value == 0; };
  const auto is_white = [](int value) { return value == kWhite; };
  return *values.begin() == 0 && *(values.end() - 1) == kWhite &&
         std::is_partitioned(values.begin(), values.end(), is_black) &&
         std::is_partitioned(std::make_reverse_iterator(values.end()),
                             std::make_reverse_iterator(values.begin()),
                             is_white);
}

}  // namespace

uint32_t FirstSampleOf(int value, Depth depth, const ToneCurve& curve,
                       uint32_t flip) {
  uint32_t first = 0;
  uint32_t end = HighestSample(depth) + 1;
  while (first < end) {
    const uint32_t middle = (first + end) / 2;
    const uint32_t sample = middle ^ flip;
    const int at = depth == Depth::k8
                       ? curve.At8(static_cast<uint8_t>(sample))
                       : curve.At16(static_cast<uint16_t>(sample));
    if (at < value) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

std::optional<PureLimits> PureLimitsOf(const ToneCurve& curve, Depth depth) {
  ToneCurve::Table table = curve.table();
  const bool falls = table.front() == kWhite;
  if (falls) std::ranges::reverse(table);
  if (!Parts(table)) return std::nullopt;
  const uint32_t flip = falls ? HighestSample(depth) : 0;
  const auto first = [&](int value) {
    return static_cast<uint16_t>(FirstSampleOf(value, depth, curve, flip));
  };
  return PureLimits{.flip = static_cast<uint16_t>(flip),
                    .black_end = first(1),
                    .white_begin = first(kWhite)};
}

}  // namespace halftoned::simd
