// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From decisions, one lane per row, to packed rows. A ring collects the
// decisions of the last two blocks; a window of 64 columns of every row is then
// transposed into whole bytes. All lanes of a vector decide the first column of
// a byte in the same step (kLaneSkew), so the windows of two vectors differ
// only by their skew, and those of two lanes by whole bytes.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_VECTORS_BITS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_BITS_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_BITS_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_VECTORS_BITS_INL_H_
#endif

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/vectors/lanes-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

constexpr int kRingSteps = 2 * kBlock;

// Decisions as masks of comparisons, one per step.
struct MaskRing {
  // The first steps are repeated after the last, for reads across the end.
  alignas(64) uint32_t mask[kVectors][kRingSteps + 16];
};

// Decisions collected in 16-bit groups of 16 / bits columns.
template <int bits>
struct GroupRing {
  static constexpr int kGroupSteps = 16 / bits;
  static constexpr int kGroups = kRingSteps / kGroupSteps;
  alignas(64) uint16_t group[kVectors][kGroups][kLanes];

  // The place of the group of vector `v` that is complete after step `i` of the
  // chunk that begins at ring step `chunk_step`.
  HWY_INLINE uint16_t* Place(int v, int chunk_step, int i) {
    const int begin = chunk_step + i + 1 - kGroupSteps - v * kSkew;
    return group[v][(begin + kRingSteps) / kGroupSteps % kGroups];
  }
};

// The bytes of a window: 64 columns of one vector's rows.
template <int bits>
struct Window {
  // Four vectors for each 8 bytes of a row; see At.
  alignas(64) uint16_t words[bits][4][kLanes];

  const uint8_t* bytes() const {
    return reinterpret_cast<const uint8_t*>(words);
  }
  // The index of bytes 8 h … 8 h + 7 of the row in `lane`.
  static constexpr size_t At(int h, int lane) {
    return (h * 4 + lane % 8 / 2) * kVectorBytes + lane / 8 * 16 + lane % 2 * 8;
  }
};

#if HWY_TARGET == HWY_AVX3_DL
// Turns the masks of 16 steps into 16 columns per lane. The first column is the
// highest bit of the lowest byte.
HWY_INLINE V16 GroupOfMasks(const uint32_t* masks) {
  // Byte g of a mask belongs to lanes 8 g … 8 g + 7. For both halves of 8 steps
  // and each g, gather the 8 bytes of 8 steps, transpose them as 8 × 8 bits,
  // and put the two bytes of each lane side by side.
  alignas(64) static constexpr uint8_t kGather[64] = {
      0,  4,  8,  12, 16, 20, 24, 28, 1,  5,  9,  13, 17, 21, 25, 29,
      2,  6,  10, 14, 18, 22, 26, 30, 3,  7,  11, 15, 19, 23, 27, 31,
      32, 36, 40, 44, 48, 52, 56, 60, 33, 37, 41, 45, 49, 53, 57, 61,
      34, 38, 42, 46, 50, 54, 58, 62, 35, 39, 43, 47, 51, 55, 59, 63};
  alignas(64) static constexpr uint8_t kPair[64] = {
      0,  32, 1,  33, 2,  34, 3,  35, 4,  36, 5,  37, 6,  38, 7,  39,
      8,  40, 9,  41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47,
      16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55,
      24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63};
  const __m512i bytes = _mm512_permutexvar_epi8(_mm512_load_si512(kGather),
                                                _mm512_loadu_si512(masks));
  // Row j of the product is bit j of every byte of the 8 × 8 block.
  const __m512i bits = _mm512_gf2p8affine_epi64_epi8(
      _mm512_set1_epi64(static_cast<int64_t>(0x8040201008040201)), bytes, 0);
  return V16{_mm512_permutexvar_epi8(_mm512_load_si512(kPair), bits)};
}
#endif

// Turns four groups of every lane into 8 consecutive bytes of its row.
template <int bits>
HWY_INLINE void JoinGroups(const V16 (&g)[4], int h, Window<bits>& window) {
  const D16 d16;
  const D32 d32;
  const V32 a0 = hn::BitCast(d32, hn::InterleaveLower(d16, g[0], g[1]));
  const V32 a1 = hn::BitCast(d32, hn::InterleaveUpper(d16, g[0], g[1]));
  const V32 b0 = hn::BitCast(d32, hn::InterleaveLower(d16, g[2], g[3]));
  const V32 b1 = hn::BitCast(d32, hn::InterleaveUpper(d16, g[2], g[3]));
  hn::Store(hn::BitCast(d16, hn::InterleaveLower(d32, a0, b0)), d16,
            window.words[h][0]);
  hn::Store(hn::BitCast(d16, hn::InterleaveUpper(d32, a0, b0)), d16,
            window.words[h][1]);
  hn::Store(hn::BitCast(d16, hn::InterleaveLower(d32, a1, b1)), d16,
            window.words[h][2]);
  hn::Store(hn::BitCast(d16, hn::InterleaveUpper(d32, a1, b1)), d16,
            window.words[h][3]);
}

// The window whose first step is ring step `begin` plus v's skew.
HWY_INLINE void MakeWindow(MaskRing& ring, int v, int begin,
                           Window<1>& window) {
#if HWY_TARGET == HWY_AVX3_DL
  uint32_t* mask = ring.mask[v];
  if (begin + kBlock > kRingSteps) {
    std::memcpy(mask + kRingSteps, mask, 16 * sizeof(uint32_t));
  }
  V16 g[4];
  HALFTONED_UNROLL
  for (int i = 0; i < 4; ++i) {
    g[i] = GroupOfMasks(mask + (begin + 16 * i) % kRingSteps + v * kSkew);
  }
  JoinGroups(g, 0, window);
#else
  (void)ring, (void)v, (void)begin, (void)window;
#endif
}

template <int bits>
HWY_INLINE void MakeWindow(GroupRing<bits>& ring, int v, int begin,
                           Window<bits>& window) {
  const D16 d;
  using Ring = GroupRing<bits>;
  const int first = begin / Ring::kGroupSteps;
  HALFTONED_UNROLL
  for (int h = 0; h < bits; ++h) {
    V16 g[4];
    HALFTONED_UNROLL
    for (int i = 0; i < 4; ++i) {
      g[i] = hn::Load(d, ring.group[v][(first + 4 * h + i) % Ring::kGroups]);
      if constexpr (bits == 1) {
        // The first column is the lowest bit: reverse the bits of each byte.
        const V16 m1 = hn::Set(d, 0x5555);
        const V16 m2 = hn::Set(d, 0x3333);
        const V16 m4 = hn::Set(d, 0x0f0f);
        V16 x = g[i];
        x = hn::Or(hn::And(hn::ShiftRight<1>(x), m1),
                   hn::ShiftLeft<1>(hn::And(x, m1)));
        x = hn::Or(hn::And(hn::ShiftRight<2>(x), m2),
                   hn::ShiftLeft<2>(hn::And(x, m2)));
        g[i] = hn::Or(hn::And(hn::ShiftRight<4>(x), m4),
                      hn::ShiftLeft<4>(hn::And(x, m4)));
      } else {
        // The first column is in the highest bits: swap the bytes.
        g[i] = hn::Or(hn::ShiftRight<8>(g[i]), hn::ShiftLeft<8>(g[i]));
      }
    }
    JoinGroups(g, h, window);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_VECTORS_BITS_INL_H_
