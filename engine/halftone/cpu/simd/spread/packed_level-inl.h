// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packed levels (packed_level.h) in vectors, for samples of 1, 2 or 4 bits.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SPREAD_PACKED_LEVEL_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_PACKED_LEVEL_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_PACKED_LEVEL_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SPREAD_PACKED_LEVEL_INL_H_
#endif

#include "halftone/cpu/simd/spread/packed_level.h"
#include "halftone/cpu/simd/spread/spread_core-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// Packs 16 v + 7.
HWY_INLINE V16 PackLevel(V16 scaled, const LevelConstants& of) {
  const D16 d;
  const V16 x = hn::Mul(hn::ShiftRight<4>(scaled), hn::Set(d, of.steps));
  const V16 y = hn::ShiftRight<4>(x);
  const V16 quotient = hn::ShiftRight<8>(
      hn::Add(hn::Add(y, hn::ShiftRight<8>(y)), hn::Set(d, 1)));
  const V16 level = hn::Min(quotient, hn::Set(d, of.highest));
  const V16 value = hn::Sub(x, hn::Mul(level, hn::Set(d, kWhite)));
  return hn::Or(hn::ShiftLeft<kPackedLevelShift>(level), value);
}

// The value between the levels.
template <int bits>
HWY_INLINE VI ValueOf(VI packed) {
  if constexpr (bits == 1) {
    return packed;
  } else {
    return hn::And(packed, hn::Set(DI(), kPackedValueMask));
  }
}

// The sample of the level, or of the next one where the pixel is white.
template <int bits>
HWY_INLINE V16 SampleOf(VI packed, MI is_white, const LevelConstants& of) {
  const D16 d;
  const DI di;
  const VI lower = hn::BitCast(
      di, hn::ShiftRight<kPackedLevelShift>(hn::BitCast(d, packed)));
  const V16 level =
      hn::BitCast(d, SubWhere(is_white, lower, hn::Set(di, int16_t{-1})));
  if constexpr (bits == 2) {
    return level;
  } else {
    return hn::ShiftRight<2>(hn::Mul(level, hn::Set(d, of.sample_scale)));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_PACKED_LEVEL_INL_H_
