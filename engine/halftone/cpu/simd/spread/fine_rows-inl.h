// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lookups in the tables of `fine` and `clustered`, for two columns together
// where bytes are enough. The bytes are in the order of a feed of bytes: of
// each 16 the first 8 belong to the even column, the others to the odd one.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_ROWS_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_ROWS_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_ROWS_INL_H_
#endif

#include "halftone/cpu/simd/spread/fine_tables.h"
#include "halftone/cpu/simd/spread/tone_records.h"
#include "halftone/cpu/simd/vectors/lanes-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

HWY_INLINE V8 FineRowsOf(V8 tones) {
  const D16 d;
  const D8 d8;
  const V8 u = hn::Min(tones, hn::Xor(tones, hn::Set(d8, 255)));
  const V16 sum = hn::BitCast(d, hn::Add(u, hn::Set(d8, 48)));
  const V16 quarter = hn::And(hn::ShiftRight<2>(sum), hn::Set(d, 0x3f3f));
  return hn::Min(u, hn::BitCast(d8, quarter));
}

// The tones of 16 v + 7 in two columns.
HWY_INLINE V8 FineTonesOf(V16 even, V16 odd) {
  const D16 d;
  const hn::RebindToSigned<D16> ds;
  const auto tone = [&](V16 scaled) HALFTONED_ATTR {
    return hn::BitCast(ds, hn::ShiftRight<8>(hn::Add(scaled, hn::Set(d, 128))));
  };
#if HWY_TARGET == HWY_AVX3_DL
  return V8{_mm512_packus_epi16(tone(even).raw, tone(odd).raw)};
#elif HWY_TARGET == HWY_AVX2
  return V8{_mm256_packus_epi16(tone(even).raw, tone(odd).raw)};
#else
  return hn::Combine(D8(), hn::DemoteTo(hn::Half<D8>(), tone(odd)),
                     hn::DemoteTo(hn::Half<D8>(), tone(even)));
#endif
}

// One of two columns; each byte becomes the upper one of a lane, with `low`
// below.
template <bool is_odd>
HWY_INLINE V16 FineLanes(V8 low, V8 high) {
  const D8 d;
  return hn::BitCast(D16(), is_odd ? hn::InterleaveUpper(d, low, high)
                                   : hn::InterleaveLower(d, low, high));
}

#if HWY_TARGET == HWY_AVX3_DL

// A table is one register, and masking unwanted bytes costs nothing.
class FinePair {
 public:
  FinePair() = default;
  HWY_INLINE FinePair(const FineTables&, V8 tones) : rows_(FineRowsOf(tones)) {}
  // Bits above the lowest six are not looked at.
  explicit HWY_INLINE FinePair(V8 rows) : rows_(rows) {}

  HWY_INLINE V8 rows() const { return rows_; }

 private:
  V8 rows_;
};

template <bool is_odd>
class FineColumn {
 public:
  HWY_INLINE FineColumn(const FineTables& tables, const FinePair& pair)
      : tables_(tables),
        rows_(FineLanes<is_odd>(pair.rows(), pair.rows()).raw) {}

  // 256 times the number.
  HWY_INLINE V16 Get(FineNumber number) const {
    return V16{_mm512_maskz_permutexvar_epi8(0xaaaaaaaaaaaaaaaa, rows_,
                                             Table(number))};
  }
  // The number of two bytes.
  HWY_INLINE V16 Get(FineNumber low, FineNumber high) const {
    return V16{_mm512_mask_permutexvar_epi8(Get(high).raw, 0x5555555555555555,
                                            rows_, Table(low))};
  }

 private:
  HWY_INLINE __m512i Table(FineNumber number) const {
    return _mm512_load_si512(tables_.of[number]);
  }

  const FineTables& tables_;
  __m512i rows_;
};

#else

HWY_INLINE V8 FineLookUp(const uint8_t* table, V8 rows) {
#if HWY_TARGET == HWY_NEON
  return V8(vqtbl3q_u8(vld1q_u8_x3(table), rows.raw));
#elif HWY_TARGET == HWY_WASM
  // A lookup gives 0 beyond its table.
  const D8 d;
  const auto third = [&](int k) HALFTONED_ATTR {
    return LookUpBytes(hn::Load(d, table + 16 * k),
                       hn::Sub(rows, hn::Set(d, static_cast<uint8_t>(16 * k))));
  };
  return hn::Or(hn::Or(third(0), third(1)), third(2));
#else
  // A lookup uses the lowest four bits and gives 0 if the highest bit is set.
  // So of three lookups exactly one finds the row.
  const D8 d;
  const auto third = [&](int k) HALFTONED_ATTR {
    const V8 in_third = hn::Xor(rows, hn::Set(d, static_cast<uint8_t>(16 * k)));
    return LookUpBytes(hn::LoadDup128(d, table + 16 * k),
                       hn::Add(in_third, hn::Set(d, 0x70)));
  };
  return hn::Or(hn::Or(third(0), third(1)), third(2));
#endif
}

class FinePair {
 public:
  FinePair() = default;
  HWY_INLINE FinePair(const FineTables& tables, V8 tones) {
    const V8 rows = FineRowsOf(tones);
    HALFTONED_UNROLL
    for (int n = 0; n < kFineNumbers; ++n) {
      numbers_[n] = FineLookUp(tables.of[n], rows);
    }
  }

  HWY_INLINE V8 Get(FineNumber number) const { return numbers_[number]; }

 private:
  V8 numbers_[kFineNumbers];
};

template <bool is_odd>
class FineColumn {
 public:
  HWY_INLINE FineColumn(const FineTables&, const FinePair& pair)
      : pair_(pair) {}

  // 256 times the number.
  HWY_INLINE V16 Get(FineNumber number) const {
    return FineLanes<is_odd>(hn::Zero(D8()), pair_.Get(number));
  }
  // The number of two bytes.
  HWY_INLINE V16 Get(FineNumber low, FineNumber high) const {
    return FineLanes<is_odd>(pair_.Get(low), pair_.Get(high));
  }

 private:
  const FinePair& pair_;
};

#endif

// What `fine` and `clustered` know about a column's pixels, as in ToneRecord.
struct ToneNumbers {
  using V = hn::Vec<hn::RebindToSigned<D16>>;
  V value, right, down_right, down_left, down_left_left, gain, onset, threshold;
};

// The records of column i of a feed of places, or of 16 v + 7 where samples
// have 16 bits, transposed: 8 rows by 8 numbers within every 128 bits.
template <int i, bool is_deep = false>
HWY_INLINE ToneNumbers NumbersOf(const ToneRecord* records,
                                 const uint8_t* feed) {
  const D16 d16;
  const hn::RebindToSigned<D16> d;
  const D32 d32;
  const hn::Repartition<uint64_t, D16> d64;
  const auto* const places =
      reinterpret_cast<const uint16_t*>(feed) + static_cast<size_t>(i) * kLanes;
  const auto record = [&](int b, int k) HALFTONED_ATTR {
    const int place = places[8 * b + k];
    return reinterpret_cast<const uint16_t*>(
        reinterpret_cast<const uint8_t*>(records) +
        (is_deep ? place & ~15 : place));
  };
  const auto row = [&](int k) HALFTONED_ATTR {
    [[maybe_unused]] const hn::FixedTag<uint16_t, 8> d8;
#if HWY_TARGET == HWY_AVX3_DL
    __m512i rows = _mm512_castsi128_si512(hn::Load(d8, record(0, k)).raw);
    rows = _mm512_inserti32x4(rows, hn::Load(d8, record(1, k)).raw, 1);
    rows = _mm512_inserti32x4(rows, hn::Load(d8, record(2, k)).raw, 2);
    return V16{_mm512_inserti32x4(rows, hn::Load(d8, record(3, k)).raw, 3)};
#elif HWY_TARGET == HWY_AVX2
    return V16{_mm256_inserti128_si256(
        _mm256_castsi128_si256(hn::Load(d8, record(0, k)).raw),
        hn::Load(d8, record(1, k)).raw, 1)};
#else
    static_assert(kLanes == 8);
    return hn::Load(d16, record(0, k));
#endif
  };
  // Four numbers of four rows: the first two of them, then the others.
  struct Four {
    V32 first, last;
  };
  const auto join = [&](V16 a, V16 b, V16 c, V16 e, bool upper) HALFTONED_ATTR {
    const V32 ab = hn::BitCast(d32, upper ? hn::InterleaveUpper(d16, a, b)
                                          : hn::InterleaveLower(d16, a, b));
    const V32 ce = hn::BitCast(d32, upper ? hn::InterleaveUpper(d16, c, e)
                                          : hn::InterleaveLower(d16, c, e));
    return Four{hn::InterleaveLower(d32, ab, ce),
                hn::InterleaveUpper(d32, ab, ce)};
  };
  const auto lower = [&](V32 a, V32 b) HALFTONED_ATTR {
    return hn::BitCast(
        d, hn::InterleaveLower(d64, hn::BitCast(d64, a), hn::BitCast(d64, b)));
  };
  const auto upper = [&](V32 a, V32 b) HALFTONED_ATTR {
    return hn::BitCast(
        d, hn::InterleaveUpper(d64, hn::BitCast(d64, a), hn::BitCast(d64, b)));
  };
  const V16 r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3);
  const Four low_top = join(r0, r1, r2, r3, false);
  const Four high_top = join(r0, r1, r2, r3, true);
  const V16 r4 = row(4), r5 = row(5), r6 = row(6), r7 = row(7);
  const Four low = join(r4, r5, r6, r7, false);
  const Four high = join(r4, r5, r6, r7, true);
  return {.value = lower(low_top.first, low.first),
          .right = upper(low_top.first, low.first),
          .down_right = lower(low_top.last, low.last),
          .down_left = upper(low_top.last, low.last),
          .down_left_left = lower(high_top.first, high.first),
          .gain = upper(high_top.first, high.first),
          .onset = lower(high_top.last, high.last),
          .threshold = upper(high_top.last, high.last)};
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_ROWS_INL_H_
