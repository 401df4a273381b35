// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PureKernels::snap for one target.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_BITS_SNAP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_BITS_SNAP_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_BITS_SNAP_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_BITS_SNAP_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/cpu/simd/vectors/operations-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The union of some words of three rows, widened by one column.
template <class D>
HWY_INLINE hn::VFromD<D> Near(D d, const uint64_t* above, const uint64_t* here,
                              const uint64_t* below) {
  const auto rows = [&](ptrdiff_t at) {
    return hn::Or(hn::Or(hn::LoadU(d, above + at), hn::LoadU(d, here + at)),
                  hn::LoadU(d, below + at));
  };
  const auto middle = rows(0);
  const auto left =
      hn::Or(hn::ShiftLeft<1>(middle), hn::ShiftRight<63>(rows(-1)));
  const auto right =
      hn::Or(hn::ShiftRight<1>(middle), hn::ShiftLeft<63>(rows(1)));
  return hn::Or(middle, hn::Or(left, right));
}

// The pixels of `here` to be snapped, of some words.
template <class D>
HWY_INLINE hn::VFromD<D> Edges(D d, const PureRow& above, const PureRow& here,
                               const PureRow& below, size_t word) {
  const auto pure =
      hn::Or(hn::LoadU(d, here.black + word), hn::LoadU(d, here.white + word));
  return hn::AndNot(
      pure,
      hn::And(
          Near(d, above.black + word, here.black + word, below.black + word),
          Near(d, above.white + word, here.white + word, below.white + word)));
}

// Snaps some of 64 pixels, one by one.
template <typename Sample>
void SnapPixels(uint64_t edges, const PureLimits& limits, uint16_t white_from,
                Sample* pixels) {
  for (; edges != 0; edges &= edges - 1) {
    Sample& sample = pixels[std::countr_zero(edges)];
    const bool is_white =
        static_cast<Sample>(sample ^ limits.flip) >= white_from;
    sample = static_cast<Sample>((is_white ? ~0u : 0u) ^ limits.flip);
  }
}

// Snaps some of 64 pixels.
template <typename Sample>
HWY_INLINE void SnapWord(const uint8_t* edges, const PureLimits& limits,
                         uint16_t white_from, Sample* pixels) {
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<Sample, 64> d;
  const auto flip = hn::Set(d, static_cast<Sample>(limits.flip));
  const auto below_white = hn::Set(d, static_cast<Sample>(white_from - 1));
  for (size_t j = 0; j < 64; j += hn::Lanes(d)) {
    const auto sample = hn::LoadU(d, pixels + j);
    const auto white = hn::Gt(hn::Xor(sample, flip), below_white);
    const auto snapped = hn::Xor(hn::VecFromMask(d, white), flip);
    const auto is_edge = LoadBits(d, edges + j / 8);
    hn::StoreU(hn::IfThenElse(is_edge, snapped, sample), d, pixels + j);
  }
#else
  uint64_t word;
  std::memcpy(&word, edges, sizeof(word));
  SnapPixels(word, limits, white_from, pixels);
#endif
}

template <typename Sample>
void SnapRow(const PureRow& above, const PureRow& here, const PureRow& below,
             const PureLimits& limits, uint16_t white_from, std::byte* bytes,
             size_t columns) {
  auto* const row = reinterpret_cast<Sample*>(bytes);
  const size_t words = columns / 64;
  const hn::CappedTag<uint64_t, 8> d;
  const hn::CappedTag<uint64_t, 1> one;
  uint64_t edges[8 + 1] = {};  // eight bytes are read from any byte on
  size_t word = 0;
  for (; word + hn::Lanes(d) <= words; word += hn::Lanes(d)) {
    const auto found = Edges(d, above, here, below, word);
    if (hn::AllTrue(d, hn::Eq(found, hn::Zero(d)))) continue;
    hn::StoreU(found, d, edges);
    for (size_t k = 0; k < hn::Lanes(d); ++k) {
      SnapWord(reinterpret_cast<const uint8_t*>(edges + k), limits, white_from,
               row + 64 * (word + k));
    }
  }
  for (; 64 * word < columns; ++word) {
    uint64_t found = hn::GetLane(Edges(one, above, here, below, word));
    if (columns - 64 * word < 64) {
      found &= (uint64_t{1} << columns % 64) - 1;
    }
    SnapPixels(found, limits, white_from, row + 64 * word);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_BITS_SNAP_INL_H_
