// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decision: from x = s + kBias to a level, the remaining error, and the
// level's sample in the ring. All numbers are unsigned 16-bit. They keep their
// ranges between rows too: a sample that did not fit would corrupt the one
// before.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_VECTORS_QUANTIZE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_QUANTIZE_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_QUANTIZE_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_VECTORS_QUANTIZE_INL_H_
#endif

#include <type_traits>

#include "halftone/cpu/simd/vectors/bits-inl.h"
#include "halftone/cpu/simd/vectors/level_steps.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

template <int levels>
constexpr int kSampleBits = levels == 2   ? 1
                            : levels == 4 ? 2
                                          : 4;

template <int bits>
using RingOfBits =
    std::conditional_t<bits == 1 && kMaskRegisters, MaskRing, GroupRing<bits>>;

template <int levels>
using Ring = RingOfBits<kSampleBits<levels>>;

// Decides step `i` of the chunk at ring step `chunk_step` for vector `v`:
// returns e + kBias. `gathered` collects samples until a group is full.
template <int levels, int v>
HWY_INLINE V16 Quantize(V16 x, Ring<levels>& ring, int chunk_step, int i,
                        V16& gathered) {
  const D16 d;
  if constexpr (levels == 2) {
    // White iff s > 2040, that is x ≥ 4080 = kWhite.
    const V16 white = hn::Set(d, 4080);
#if HWY_TARGET == HWY_AVX3_DL
    (void)gathered;
    const __mmask32 is_white = _mm512_cmpge_epu16_mask(x.raw, white.raw);
    ring.mask[v][chunk_step + i] = is_white;
    // Below white, x - white wraps round to more than x. The mask would
    // lengthen the dependency chain by three steps.
    return hn::Min(x, hn::Sub(x, white));
#else
    const hn::RebindToSigned<D16> ds;
    const V16 is_white = hn::BitCast(
        d, hn::VecFromMask(ds, hn::Gt(hn::BitCast(ds, x), hn::Set(ds, 4079))));
    // Shifts the bit in from above: (g + 65535 · bit + 1) >> 1. This is exact,
    // because the bit shifted out is 0 until 16 bits are in.
    gathered = hn::AverageRound(gathered, is_white);
    if ((i - v * kSkew + kRingSteps) % 16 == 15) {
      hn::Store(gathered, d, ring.Place(v, chunk_step, i));
      gathered = hn::Zero(d);
    }
    return hn::Min(x, hn::Sub(x, white));
#endif
  } else {
    constexpr LevelSteps steps = LevelSteps::ForCount(levels);
    constexpr int bits = kSampleBits<levels>;
    const V16 k = hn::ShiftRight<steps.shift>(hn::MulHigh(
        hn::Sub(x, hn::Set(d, steps.offset)), hn::Set(d, steps.scale)));
    const V16 value =
        hn::ShiftRight<4>(hn::Add(hn::Mul(k, hn::Set(d, steps.value_scale)),
                                  hn::Set(d, steps.value_rest)));
    V16 sample = k;
    if constexpr (levels == 8) {
      sample = hn::Add(hn::Add(k, k), hn::ShiftRight<2>(k));
    }
    gathered = hn::Or(hn::ShiftLeft<bits>(gathered), sample);
    constexpr int group_steps = 16 / bits;
    if ((i - v * kSkew + kRingSteps) % group_steps == group_steps - 1) {
      hn::Store(gathered, d, ring.Place(v, chunk_step, i));
    }
    return hn::Sub(x, value);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_VECTORS_QUANTIZE_INL_H_
