// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vectors of one target, and a few operations that Highway lacks. A vector
// holds kLanes unsigned 16-bit numbers, one lane per row of the page. Lane
// kLanes - 1 is the uppermost row and lane 0 the lowest, so one row down is one
// lane down, and the numbers that leave the strip at its foot are in lane 0,
// where a plain store reaches them.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_VECTORS_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_LANES_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_LANES_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_VECTORS_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/vectors/operations-inl.h"
#include "hwy/highway.h"

// Loops over registers must be unrolled before registers are allocated.
#define HALFTONED_UNROLL _Pragma("GCC unroll 16")
// Loops over the bytes of a pixel, 1 or 2, which some code knows only at run
// time: 16 copies would be most of that code.
#define HALFTONED_UNROLL_BYTES _Pragma("GCC unroll 2")
// Loops of much code must not.
#define HALFTONED_NO_UNROLL _Pragma("GCC unroll 1")

// Highway's AVX3_DL does not enable GFNI, which every such processor has.
// Lambdas say so themselves, for Clang.
#undef HALFTONED_BEFORE_NAMESPACE
#undef HALFTONED_ATTR
#if HWY_TARGET == HWY_AVX3_DL
#define HALFTONED_BEFORE_NAMESPACE()          \
  HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR ",gfni") \
  static_assert(true, "for the semicolon")
#define HALFTONED_ATTR __attribute__((target(HWY_TARGET_STR ",gfni")))
#else
#define HALFTONED_BEFORE_NAMESPACE() HWY_BEFORE_NAMESPACE()
#define HALFTONED_ATTR HWY_ATTR
#endif

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D8 = hn::ScalableTag<uint8_t>;
using D16 = hn::ScalableTag<uint16_t>;
using D32 = hn::ScalableTag<uint32_t>;
using V8 = hn::Vec<D8>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;

constexpr int kLanes = HWY_LANES(uint16_t);
constexpr size_t kVectorBytes = HWY_MAX_BYTES;

// Vectors of a strip; see targets.cc.
constexpr int kVectors = kLanes == 8 ? 4 : 2;
constexpr int kSlots = kVectors * kLanes;  // rows of a strip
static_assert(kVectors <= kMaxVectors && kSlots <= kMaxSlots);

// Steps by which a row lags behind the one above it.
constexpr int kSkew = kLaneSkew / kVectors;

// Whether comparisons give bits of a mask register, which are cheaper to store
// than to gather in a vector.
#if HWY_TARGET == HWY_AVX3_DL
constexpr bool kMaskRegisters = true;
#else
constexpr bool kMaskRegisters = false;
#endif

// The lanes that ShiftDown fills from the lane above.
struct Followers {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  // Pinned to a register: otherwise the compiler reloads it each time.
  __mmask32 mask = 0x7fffffff;
  HWY_INLINE void Hide() { asm("" : "+k"(mask)); }
#else
  HWY_INLINE void Hide() {}
#endif
};

// `v` with every lane moved down by one; *entering becomes the uppermost. Reads
// at most 2 bytes before `entering` and kVectorBytes from it on.
HWY_INLINE V16 ShiftDown(V16 v, const uint16_t* entering,
                         [[maybe_unused]] Followers followers) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  // One shuffle: the broadcast is a load, and the merge is free.
  alignas(64) static constexpr uint16_t kNext[32] = {
      1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
      17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 31};
  int32_t pair;
  std::memcpy(&pair, entering - 1, sizeof(pair));
  return V16{_mm512_mask_permutexvar_epi16(_mm512_set1_epi32(pair),
                                           followers.mask,
                                           _mm512_load_si512(kNext), v.raw)};
#elif HWY_TARGET == HWY_AVX2
  const __m256i next =
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(entering));
  const __m256i upper = _mm256_permute2x128_si256(v.raw, next, 0x21);
  return V16{_mm256_alignr_epi8(upper, v.raw, 2)};
#elif HWY_TARGET <= HWY_SSSE3
  return V16{_mm_insert_epi16(_mm_srli_si128(v.raw, 2), *entering, 7)};
#elif HWY_TARGET == HWY_NEON
  return V16{vextq_u16(v.raw, vdupq_n_u16(*entering), 1)};
#elif HWY_TARGET == HWY_WASM
  return V16{wasm_i16x8_shuffle(v.raw, wasm_v128_load16_splat(entering), 1, 2,
                                3, 4, 5, 6, 7, 8)};
#else
  alignas(kVectorBytes) uint16_t lanes[kLanes + 1];
  hn::Store(v, D16(), lanes);
  lanes[kLanes] = *entering;
  return hn::LoadU(D16(), lanes + 1);
#endif
}

// Stores lane 0, and on some targets arbitrary 16 bits after it; the next store
// overwrites those.
HWY_INLINE void StoreLowest(V16 v, uint16_t* to) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  _mm_storeu_si32(to, _mm512_castsi512_si128(v.raw));
#elif HWY_TARGET == HWY_AVX2
  _mm_storeu_si32(to, _mm256_castsi256_si128(v.raw));
#elif HWY_TARGET <= HWY_SSSE3
  _mm_storeu_si32(to, v.raw);
#elif HWY_TARGET == HWY_NEON
  vst1q_lane_u16(to, v.raw, 0);
#elif HWY_TARGET == HWY_WASM
  wasm_v128_store16_lane(to, v.raw, 0);
#else
  *to = hn::GetLane(v);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_VECTORS_LANES_INL_H_
