// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From rows of pixels to vectors with one column of each row. Pixels are copied
// in pieces of 16 bytes to the stage, in the order in which registers load
// them, and then transposed in registers, 8 rows by 16 bytes within every 128
// bits.
//
//   stage   for a piece: kVectors × 8 vectors; 128-bit block b of vector i
//           holds 16 bytes of the row in lane 8 b + i
//   feed    for a chunk: kVectors × 8 vectors of bytes, two columns each, or
//           kVectors × 16 vectors of 16-bit values

#if defined(HALFTONED_HALFTONE_CPU_SIMD_VECTORS_PIXELS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_PIXELS_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_PIXELS_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_VECTORS_PIXELS_INL_H_
#endif

#include <type_traits>
#include <utility>

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/spread/tone_records.h"
#include "halftone/cpu/simd/vectors/lanes-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// The kind of a page's pixels. Code compiled for kAny tests at run time, once
// per transpose; kAnyPure is kAny with pure pixels.
enum class Pixels {
  kBytes,
  kCurvedBytes,
  kRecords,  // bytes, each with a ToneRecord
  kWords,
  kCurvedWords,
  kAny,
  kAnyPure
};

constexpr bool IsAny(Pixels pixels) {
  return pixels == Pixels::kAny || pixels == Pixels::kAnyPure;
}

// Whether a feed has bytes, two columns in a vector.
constexpr bool FeedsBytes(Pixels pixels) {
  return pixels == Pixels::kBytes ||
         (pixels == Pixels::kRecords && kMaskRegisters);
}

constexpr int BytesOf(Pixels pixels) {
  return pixels == Pixels::kBytes || pixels == Pixels::kCurvedBytes ||
                 pixels == Pixels::kRecords
             ? 1
             : 2;
}

// Bytes of all rows' pieces of 16 bytes.
constexpr size_t kPieceBytes = kVectors * 8 * kVectorBytes;

// Copies one row's pixels of a block to the stage of its vector.
HWY_INLINE void StageRow(const uint8_t* from, int pixel_bytes, uint8_t* stage,
                         int lane) {
  uint8_t* to = stage + lane % 8 * kVectorBytes + lane / 8 * 16;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  HALFTONED_UNROLL_BYTES
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

// Intermediate results of a transpose, for each piece of 16 bytes.
constexpr size_t kHalfwayBytes = 8 * kVectorBytes;

// The transpose of 8 rows by 16 bytes within every 128 bits, in parts that can
// be spread between steps. First, four times, from four rows to half of their
// columns:
template <class D, int part>
HWY_INLINE void BeginTranspose(D d, const uint8_t* piece, uint8_t* halfway) {
  const hn::RepartitionToWide<D> wide;
  constexpr int rows = part / 2;
  constexpr bool is_upper = part % 2;
  const auto row = [&](int i) {
    const auto* at = piece + (4 * rows + i) * kVectorBytes;
    return hn::Load(d, reinterpret_cast<const hn::TFromD<D>*>(at));
  };
  const auto join = [&](auto a, auto b) {
    return hn::BitCast(wide, is_upper ? hn::InterleaveUpper(d, a, b)
                                      : hn::InterleaveLower(d, a, b));
  };
  const auto first = join(row(0), row(1));
  const auto last = join(row(2), row(3));
  auto* to = reinterpret_cast<hn::TFromD<decltype(wide)>*>(
      halfway + (4 * is_upper + rows) * kVectorBytes);
  hn::Store(hn::InterleaveLower(wide, first, last), wide, to);
  hn::Store(hn::InterleaveUpper(wide, first, last), wide,
            to + 2 * hn::Lanes(wide));
}

// Then, eight times: column `j` of 16-bit pixels, columns 2 j and 2 j + 1 of
// bytes.
template <class D, int j>
HWY_INLINE hn::Vec<D> EndTranspose(D d, const uint8_t* halfway) {
  const hn::RepartitionToWide<hn::RepartitionToWide<D>> wide;
  const auto* from = reinterpret_cast<const hn::TFromD<decltype(wide)>*>(
      halfway + j / 2 * 2 * kVectorBytes);
  const auto a = hn::Load(wide, from);
  const auto b = hn::Load(wide, from + hn::Lanes(wide));
  return hn::BitCast(d, j % 2 ? hn::InterleaveUpper(wide, a, b)
                              : hn::InterleaveLower(wide, a, b));
}

// (a · 4080 + 32768) >> 16: with y = a · 8160 >> 16 it is (y + 1) >> 1.
HWY_INLINE V16 ScaleWords(V16 a) {
  const D16 d;
  return hn::AverageRound(hn::MulHigh(a, hn::Set(d, 8160)), hn::Zero(d));
}

#if HWY_TARGET == HWY_AVX3_DL
// Which bytes are in the second or fourth quarter of a table, in the third or
// fourth, and in the fourth.
struct Quarters {
  __mmask64 odd;
  __mmask64 upper;
  __mmask64 last;
};

HWY_INLINE Quarters QuartersOf(V8 a) {
  const __mmask64 upper = _mm512_movepi8_mask(a.raw);
  const __mmask64 odd = _mm512_movepi8_mask(hn::Add(a, a).raw);
  return {odd, upper, _kand_mask64(odd, upper)};
}

// table[a], one quarter after the other: a lookup uses the lower six bits. A
// single lookup in two quarters would take three instructions.
HWY_INLINE V8 LookUp(const uint8_t* table, V8 a, const Quarters& in) {
  __m512i found = _mm512_permutexvar_epi8(a.raw, _mm512_load_si512(table));
  found = _mm512_mask_permutexvar_epi8(found, in.odd, a.raw,
                                       _mm512_load_si512(table + 64));
  found = _mm512_mask_permutexvar_epi8(found, in.upper, a.raw,
                                       _mm512_load_si512(table + 128));
  return V8{_mm512_mask_permutexvar_epi8(found, in.last, a.raw,
                                         _mm512_load_si512(table + 192))};
}
#endif

// 16 v + 7 of the curved bytes of two columns.
HWY_INLINE void CurveBytes(V8 a, const CurveTables& curve, uint16_t* to) {
  [[maybe_unused]] const D8 d8;
#if HWY_TARGET == HWY_AVX3_DL
  const Quarters in = QuartersOf(a);
  const V8 low = LookUp(curve.byte_low, a, in);
  const V8 high = LookUp(curve.byte_high, a, in);
  auto* bytes = reinterpret_cast<uint8_t*>(to);
  hn::Store(hn::InterleaveLower(d8, low, high), d8, bytes);
  hn::Store(hn::InterleaveUpper(d8, low, high), d8, bytes + kVectorBytes);
#elif HWY_ARCH_X86
  // Words are put into registers, not into memory from which a vector is then
  // loaded.
  alignas(kVectorBytes) uint8_t bytes[kVectorBytes];
  hn::Store(a, d8, bytes);
  const auto look_up = [&](const uint8_t* at) HALFTONED_ATTR {
    __m128i words = _mm_cvtsi32_si128(curve.byte[at[0]]);
    words = _mm_insert_epi16(words, curve.byte[at[1]], 1);
    words = _mm_insert_epi16(words, curve.byte[at[2]], 2);
    words = _mm_insert_epi16(words, curve.byte[at[3]], 3);
    words = _mm_insert_epi16(words, curve.byte[at[4]], 4);
    words = _mm_insert_epi16(words, curve.byte[at[5]], 5);
    words = _mm_insert_epi16(words, curve.byte[at[6]], 6);
    return _mm_insert_epi16(words, curve.byte[at[7]], 7);
  };
  for (int block = 0; block < kLanes / 8; ++block) {
    auto* first = reinterpret_cast<__m128i*>(to + 8 * block);
    auto* second = reinterpret_cast<__m128i*>(to + kLanes + 8 * block);
    _mm_store_si128(first, look_up(bytes + 16 * block));
    _mm_store_si128(second, look_up(bytes + 16 * block + 8));
  }
#else
  alignas(kVectorBytes) uint8_t bytes[kVectorBytes];
  hn::Store(a, d8, bytes);
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

// Where the records are, in bytes.
template <int column>
HWY_INLINE V16 PlacesOf(V8 two) {
  static_assert(sizeof(ToneRecord) == 16);
  const D8 d8;
  const V8 zero = hn::Zero(d8);
  return hn::ShiftRight<4>(
      hn::BitCast(D16(), column == 0 ? hn::InterleaveLower(d8, zero, two)
                                     : hn::InterleaveUpper(d8, zero, two)));
}

// The feed of a vector for a chunk is made in parts too: kBegins parts, then
// kEnds, from the chunk's first piece.
template <Pixels pixels>
constexpr int kBegins = 4 * BytesOf(pixels);
template <Pixels pixels>
constexpr int kEnds = 8 * BytesOf(pixels);

template <Pixels pixels, int part>
HWY_INLINE void BeginFeed(const uint8_t* piece, uint8_t* halfway) {
  constexpr int half = part / 4;
  using D = std::conditional_t<BytesOf(pixels) == 1, D8, D16>;
  BeginTranspose<D, part % 4>(D(), piece + half * kPieceBytes,
                              halfway + half * kHalfwayBytes);
}

// `as_words`: words, also for pixels of plain bytes.
template <Pixels pixels, bool as_words, int part>
HWY_INLINE void EndFeed(const uint8_t* halfway, const CurveTables* curve,
                        uint8_t* feed) {
  auto* words = reinterpret_cast<uint16_t*>(feed);
  if constexpr (BytesOf(pixels) == 1) {
    const V8 columns = EndTranspose<D8, part>(D8(), halfway);
    if constexpr (pixels == Pixels::kBytes && as_words) {
      hn::Store(ColumnOf<0>(columns), D16(), words + 2 * part * kLanes);
      hn::Store(ColumnOf<1>(columns), D16(), words + (2 * part + 1) * kLanes);
    } else if constexpr (FeedsBytes(pixels)) {
      hn::Store(columns, D8(), feed + part * kVectorBytes);
    } else if constexpr (pixels == Pixels::kRecords) {
      hn::Store(PlacesOf<0>(columns), D16(), words + 2 * part * kLanes);
      hn::Store(PlacesOf<1>(columns), D16(), words + (2 * part + 1) * kLanes);
    } else {
      CurveBytes(columns, *curve, words + 2 * part * kLanes);
    }
  } else {
    const D16 d16;
    const V16 column =
        EndTranspose<D16, part % 8>(d16, halfway + part / 8 * kHalfwayBytes);
    if constexpr (pixels == Pixels::kWords) {
      const V16 v = ScaleWords(column);
      hn::Store(hn::Or(hn::ShiftLeft<4>(v), hn::Set(d16, 7)), d16,
                words + part * kLanes);
    } else {
      CurveWords(column, *curve, words + part * kLanes);
    }
  }
}

template <Pixels pixels, bool as_words, int... begin, int... end>
HWY_INLINE void FeedParts(const uint8_t* piece, const CurveTables* curve,
                          uint8_t* feed, std::integer_sequence<int, begin...>,
                          std::integer_sequence<int, end...>) {
  alignas(64) uint8_t halfway[BytesOf(pixels) * kHalfwayBytes];
  (BeginFeed<pixels, begin>(piece, halfway), ...);
  (EndFeed<pixels, as_words, end>(halfway, curve, feed), ...);
}

// All parts.
template <Pixels pixels, bool as_words>
HWY_INLINE void Feed(const uint8_t* piece, const CurveTables* curve,
                     uint8_t* feed) {
  FeedParts<pixels, as_words>(
      piece, curve, feed, std::make_integer_sequence<int, kBegins<pixels>>(),
      std::make_integer_sequence<int, kEnds<pixels>>());
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

#endif  // HALFTONED_HALFTONE_CPU_SIMD_VECTORS_PIXELS_INL_H_
