// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions of a spread core's steps, on their way to the ring of bits.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SPREAD_DECISIONS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_DECISIONS_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_DECISIONS_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SPREAD_DECISIONS_INL_H_
#endif

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/vectors/block-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

using DI = hn::RebindToSigned<D16>;
using VI = hn::Vec<DI>;
using MI = hn::Mask<DI>;

constexpr int kSpreadSkew = 4;
static_assert(!kMaskRegisters || kSpreadSkew == kSkew, "as MakeWindow has it");

HWY_INLINE VI SubWhere(MI where, VI a, VI b) {
#if HWY_TARGET == HWY_AVX3_DL
  return VI{_mm512_mask_sub_epi16(a.raw, where.raw, a.raw, b.raw)};
#else
  return hn::Sub(a, hn::IfThenElseZero(where, b));
#endif
}

HWY_INLINE MI IsPureValue(VI value) {
  return hn::Or(hn::Eq(value, hn::Zero(DI())),
                hn::Eq(value, hn::Set(DI(), kWhite)));
}

template <class Method>
HWY_INLINE void PutDecision([[maybe_unused]] const Method& method, MI is_white,
                            const typename Method::Constants& constants,
                            RingOfBits<Method::kBits>& ring, int v,
                            size_t ring_step, V16& gathered) {
  (void)constants, (void)ring, (void)v, (void)ring_step, (void)gathered;
  if constexpr (Method::kBits > 1) {
    gathered = hn::Or(hn::ShiftLeft<Method::kBits>(gathered),
                      method.Sample(constants, is_white));
  } else {
#if HWY_TARGET == HWY_AVX3_DL
    ring.mask[v][ring_step] = is_white.raw;
#else
    // Shifts the bit in from above; see quantize-inl.h.
    gathered = hn::AverageRound(
        gathered, hn::BitCast(D16(), hn::VecFromMask(DI(), is_white)));
#endif
  }
}

HWY_INLINE void PutGroup(MaskRing&, size_t, V16 (&)[kVectors]) {}

// After the steps of a turn, the decisions of one vector form a whole group;
// with two bits, those of every second vector; with four bits, those of all
// vectors.
template <int bits>
HWY_INLINE void PutGroup(GroupRing<bits>& ring, size_t ring_step,
                         V16 (&gathered)[kVectors]) {
  static_assert(kSpreadSkew == kTurnSteps && kVectors <= kTurnsOfChunk);
  using Groups = GroupRing<bits>;
  constexpr size_t kTurnsOfGroup = Groups::kGroupSteps / kTurnSteps;
  const size_t turn = ring_step % kChunk / kTurnSteps;
  HALFTONED_UNROLL
  for (size_t v = 0; v < kVectors; ++v) {
    if (v % kTurnsOfGroup != (turn + 1) % kTurnsOfGroup) continue;
    const size_t begin = ring_step + kRingSteps + kTurnSteps -
                         Groups::kGroupSteps - v * kSpreadSkew;
    hn::Store(gathered[v], D16(),
              ring.group[v][begin / Groups::kGroupSteps % Groups::kGroups]);
    gathered[v] = hn::Zero(D16());
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_DECISIONS_INL_H_
