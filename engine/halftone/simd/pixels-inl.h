// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From rows of pixels to vectors of one column a row: pixels are copied in
// pieces of 16 bytes to where the registers want them, then transposed in
// registers, 8 rows by 16 bytes within every 128 bits.
//
//   stage   for a piece: kVectors × 8 vectors; 128-bit block b of vector i
//           holds 16 bytes of the row in lane 8 b + i
//   feed    for a chunk: kVectors × 8 vectors of bytes, two columns each, or
//           kVectors × 16 vectors of 16-bit values

#if defined(HALFTONED_HALFTONE_SIMD_PIXELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_SIMD_PIXELS_INL_H_
#undef HALFTONED_HALFTONE_SIMD_PIXELS_INL_H_
#else
#define HALFTONED_HALFTONE_SIMD_PIXELS_INL_H_
#endif

#include "halftone/simd/core.h"
#include "halftone/simd/lanes-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// What the pixels of a page are. Code that is compiled for kAny asks at run
// time, once for each transpose.
enum class Pixels { kBytes, kCurvedBytes, kWords, kCurvedWords, kAny };

constexpr int BytesOf(Pixels pixels) {
  return pixels == Pixels::kBytes || pixels == Pixels::kCurvedBytes ? 1 : 2;
}

// Bytes of all rows' pieces of 16 bytes.
constexpr size_t kPieceBytes = kVectors * 8 * kVectorBytes;

// Copies one row's pixels of a block to the stage of its vector.
HWY_INLINE void StageRow(const uint8_t* from, int pixel_bytes, uint8_t* stage,
                         int lane) {
  uint8_t* to = stage + lane % 8 * kVectorBytes + lane / 8 * 16;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  HALFTONED_UNROLL
  for (int i = 0; i < pixel_bytes; ++i) {
    const __m512i row = _mm512_loadu_si512(from + 64 * i);
    uint8_t* piece = to + 4 * i * kPieceBytes;
    _mm_store_si128(reinterpret_cast<__m128i*>(piece),
                    _mm512_castsi512_si128(row));
    _mm_store_si128(reinterpret_cast<__m128i*>(piece + kPieceBytes),
                    _mm512_extracti32x4_epi32(row, 1));
    _mm_store_si128(reinterpret_cast<__m128i*>(piece + 2 * kPieceBytes),
                    _mm512_extracti32x4_epi32(row, 2));
    _mm_store_si128(reinterpret_cast<__m128i*>(piece + 3 * kPieceBytes),
                    _mm512_extracti32x4_epi32(row, 3));
  }
#else
  const hn::FixedTag<uint8_t, 16> d;
  HALFTONED_UNROLL
  for (int i = 0; i < kBlock / 16 * pixel_bytes; ++i) {
    hn::Store(hn::LoadU(d, from + 16 * i), d, to + i * kPieceBytes);
  }
#endif
}

// Bytes of a chunk's feed for one vector of rows.
constexpr size_t kFeedBytes = kChunk * kVectorBytes;

// The 8 × 16 byte transpose: to[j] gets columns 2 j and 2 j + 1.
HWY_INLINE void TransposeBytes(const uint8_t* piece, V8 (&to)[8]) {
  const D8 d8;
  const D16 d16;
  const D32 d32;
  V16 pair[8];  // rows i, i + 1: columns 0 … 7, then 8 … 15
  HALFTONED_UNROLL
  for (int i = 0; i < 8; i += 2) {
    const V8 a = hn::Load(d8, piece + i * kVectorBytes);
    const V8 b = hn::Load(d8, piece + (i + 1) * kVectorBytes);
    pair[i] = hn::BitCast(d16, hn::InterleaveLower(d8, a, b));
    pair[i + 1] = hn::BitCast(d16, hn::InterleaveUpper(d8, a, b));
  }
  V32 four[8];  // rows 0 … 3 and 4 … 7 of columns 4 k … 4 k + 3
  HALFTONED_UNROLL
  for (int i = 0; i < 2; ++i) {
    HALFTONED_UNROLL
    for (int half = 0; half < 2; ++half) {
      const V16 a = pair[4 * i + half];
      const V16 b = pair[4 * i + half + 2];
      four[4 * half + i] = hn::BitCast(d32, hn::InterleaveLower(d16, a, b));
      four[4 * half + 2 + i] = hn::BitCast(d32, hn::InterleaveUpper(d16, a, b));
    }
  }
  HALFTONED_UNROLL
  for (int k = 0; k < 4; ++k) {
    const V32 a = four[2 * k];
    const V32 b = four[2 * k + 1];
    to[2 * k] = hn::BitCast(d8, hn::InterleaveLower(d32, a, b));
    to[2 * k + 1] = hn::BitCast(d8, hn::InterleaveUpper(d32, a, b));
  }
}

// The 8 × 8 transpose of 16-bit pixels: to[j] gets column j.
HWY_INLINE void TransposeWords(const uint8_t* piece, V16 (&to)[8]) {
  const D16 d16;
  const D32 d32;
  const hn::Repartition<uint64_t, D16> d64;
  const auto* rows = reinterpret_cast<const uint16_t*>(piece);
  V32 pair[8];
  HALFTONED_UNROLL
  for (int i = 0; i < 8; i += 2) {
    const V16 a = hn::Load(d16, rows + i * kLanes);
    const V16 b = hn::Load(d16, rows + (i + 1) * kLanes);
    pair[i] = hn::BitCast(d32, hn::InterleaveLower(d16, a, b));
    pair[i + 1] = hn::BitCast(d32, hn::InterleaveUpper(d16, a, b));
  }
  hn::Vec<decltype(d64)> four[8];
  HALFTONED_UNROLL
  for (int i = 0; i < 2; ++i) {
    HALFTONED_UNROLL
    for (int half = 0; half < 2; ++half) {
      const V32 a = pair[4 * i + half];
      const V32 b = pair[4 * i + half + 2];
      four[4 * half + i] = hn::BitCast(d64, hn::InterleaveLower(d32, a, b));
      four[4 * half + 2 + i] = hn::BitCast(d64, hn::InterleaveUpper(d32, a, b));
    }
  }
  HALFTONED_UNROLL
  for (int k = 0; k < 4; ++k) {
    const auto a = four[2 * k];
    const auto b = four[2 * k + 1];
    to[2 * k] = hn::BitCast(d16, hn::InterleaveLower(d64, a, b));
    to[2 * k + 1] = hn::BitCast(d16, hn::InterleaveUpper(d64, a, b));
  }
}

// (a · 4080 + 32768) >> 16: with y = a · 8160 >> 16 it is (y + 1) >> 1.
HWY_INLINE V16 ScaleWords(V16 a) {
  const D16 d;
  return hn::AverageRound(hn::MulHigh(a, hn::Set(d, 8160)), hn::Zero(d));
}

#if HWY_TARGET == HWY_AVX3_DL
// table[a], from two lookups of 128 entries.
HWY_INLINE V8 LookUp(const uint8_t* table, V8 a) {
  const __m512i low = _mm512_permutex2var_epi8(_mm512_load_si512(table), a.raw,
                                               _mm512_load_si512(table + 64));
  const __m512i high = _mm512_permutex2var_epi8(
      _mm512_load_si512(table + 128), a.raw, _mm512_load_si512(table + 192));
  return V8{_mm512_mask_blend_epi8(_mm512_movepi8_mask(a.raw), low, high)};
}
#endif

// 16 v + 7 of the curved bytes of two columns.
HWY_INLINE void CurveBytes(V8 a, const CurveTables& curve, uint16_t* to) {
#if HWY_TARGET == HWY_AVX3_DL
  const D8 d8;
  const V8 low = LookUp(curve.byte_low, a);
  const V8 high = LookUp(curve.byte_high, a);
  auto* bytes = reinterpret_cast<uint8_t*>(to);
  hn::Store(hn::InterleaveLower(d8, low, high), d8, bytes);
  hn::Store(hn::InterleaveUpper(d8, low, high), d8, bytes + kVectorBytes);
#else
  alignas(kVectorBytes) uint8_t bytes[kVectorBytes];
  hn::Store(a, D8(), bytes);
  for (int block = 0; block < kLanes / 8; ++block) {
    HALFTONED_UNROLL
    for (int i = 0; i < 8; ++i) {
      to[8 * block + i] = curve.byte[bytes[16 * block + i]];
      to[kLanes + 8 * block + i] = curve.byte[bytes[16 * block + 8 + i]];
    }
  }
#endif
}

HWY_INLINE void CurveWords(V16 a, const CurveTables& curve, uint16_t* to) {
  const D16 d;
  const V16 index = ScaleWords(a);
#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX3
  const __m512i low = _mm512_and_si512(index.raw, _mm512_set1_epi32(0xffff));
  const __m512i high = _mm512_srli_epi32(index.raw, 16);
  const __m512i even = _mm512_i32gather_epi32(low, curve.word, 2);
  const __m512i odd = _mm512_i32gather_epi32(high, curve.word, 2);
  hn::Store(V16{_mm512_mask_blend_epi16(0xaaaaaaaa, even,
                                        _mm512_slli_epi32(odd, 16))},
            d, to);
#else
  alignas(kVectorBytes) uint16_t lanes[kLanes];
  hn::Store(index, d, lanes);
  HALFTONED_UNROLL
  for (int i = 0; i < kLanes; ++i) to[i] = curve.word[lanes[i]];
#endif
}

// 16 v + 7 for v = 16 a: the pixel is the upper byte, 7 the lower.
template <int column>
HWY_INLINE V16 ColumnOf(V8 two) {
  const D8 d8;
  const V8 seven = hn::Set(d8, 7);
  return hn::BitCast(D16(), column == 0 ? hn::InterleaveLower(d8, seven, two)
                                        : hn::InterleaveUpper(d8, seven, two));
}

// Makes the feed of `vector` for `chunk`, counted from the stage's first.
// `as_words`: also of plain bytes.
template <Pixels pixels, bool as_words>
HWY_INLINE void Feed(const uint8_t* stage, int chunk, int vector,
                     const CurveTables* curve, uint8_t* feed) {
  const D8 d8;
  const D16 d16;
  auto* words = reinterpret_cast<uint16_t*>(feed);
  if constexpr (BytesOf(pixels) == 1) {
    V8 columns[8];
    TransposeBytes(stage + chunk * kPieceBytes + vector * 8 * kVectorBytes,
                   columns);
    HALFTONED_UNROLL
    for (int j = 0; j < 8; ++j) {
      if constexpr (pixels == Pixels::kBytes && as_words) {
        hn::Store(ColumnOf<0>(columns[j]), d16, words + 2 * j * kLanes);
        hn::Store(ColumnOf<1>(columns[j]), d16, words + (2 * j + 1) * kLanes);
      } else if constexpr (pixels == Pixels::kBytes) {
        hn::Store(columns[j], d8, feed + j * kVectorBytes);
      } else {
        CurveBytes(columns[j], *curve, words + 2 * j * kLanes);
      }
    }
  } else {
    HALFTONED_UNROLL
    for (int half = 0; half < 2; ++half) {
      V16 columns[8];
      TransposeWords(
          stage + (2 * chunk + half) * kPieceBytes + vector * 8 * kVectorBytes,
          columns);
      HALFTONED_UNROLL
      for (int j = 0; j < 8; ++j) {
        uint16_t* to = words + (8 * half + j) * kLanes;
        if constexpr (pixels == Pixels::kWords) {
          const V16 v = ScaleWords(columns[j]);
          hn::Store(hn::Or(hn::ShiftLeft<4>(v), hn::Set(d16, 7)), d16, to);
        } else {
          CurveWords(columns[j], *curve, to);
        }
      }
    }
  }
}

// 16 v + 7 for all rows of a vector at step i of its chunk.
template <Pixels pixels, int i>
HWY_INLINE V16 Fetch(const uint8_t* feed) {
  if constexpr (pixels == Pixels::kBytes) {
    return ColumnOf<i % 2>(
        hn::Load(D8(), feed + static_cast<size_t>(i / 2) * kVectorBytes));
  } else {
    return hn::Load(D16(), reinterpret_cast<const uint16_t*>(feed) +
                               static_cast<size_t>(i) * kLanes);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_SIMD_PIXELS_INL_H_
