// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lookups in the tables of `fine` and `clustered`, for two columns at once as
// far as bytes can do it. Such bytes lie as in a feed of bytes: in each 16 the
// first 8 are of the even column, the others of the odd one.

#if defined(HALFTONED_HALFTONE_SIMD_FINE_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_SIMD_FINE_ROWS_INL_H_
#undef HALFTONED_HALFTONE_SIMD_FINE_ROWS_INL_H_
#else
#define HALFTONED_HALFTONE_SIMD_FINE_ROWS_INL_H_
#endif

#include "halftone/simd/fine_tables.h"
#include "halftone/simd/lanes-inl.h"

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

// Of 16 v + 7 in two columns.
HWY_INLINE V8 FineTonesOf(V16 even, V16 odd) {
  const D16 d;
  const hn::RebindToSigned<D16> ds;
  const auto tone = [&](V16 scaled) HWY_ATTR {
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

// One of the columns of two, each byte the upper one of a lane, `low` below.
template <bool is_odd>
HWY_INLINE V16 FineLanes(V8 low, V8 high) {
  const D8 d;
  return hn::BitCast(D16(), is_odd ? hn::InterleaveUpper(d, low, high)
                                   : hn::InterleaveLower(d, low, high));
}

#if HWY_TARGET == HWY_AVX3_DL

// A table is one register, and what a byte is not wanted for is masked away
// for nothing.
class FinePair {
 public:
  FinePair() = default;
  HWY_INLINE FinePair(const FineTables&, V8 tones) : rows_(FineRowsOf(tones)) {}

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
#else
  // A lookup takes the lowest four bits, and gives 0 where the highest is set:
  // of three, one has the row.
  const D8 d;
  const auto third = [&](int k) HWY_ATTR {
    const V8 in_third = hn::Xor(rows, hn::Set(d, static_cast<uint8_t>(16 * k)));
    return hn::TableLookupBytesOr0(hn::LoadDup128(d, table + 16 * k),
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

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_SIMD_FINE_ROWS_INL_H_
