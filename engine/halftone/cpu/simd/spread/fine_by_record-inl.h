// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The method of `fine` for 8-bit samples, whose records contain everything that
// follows from a sample, including the curve; see ToneRecord.
//
// A pure pixel has a record of its own: it gives and takes nothing, and its
// value is beyond the threshold by itself.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_BY_RECORD_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_BY_RECORD_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_BY_RECORD_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_BY_RECORD_INL_H_
#endif

#include "halftone/cpu/simd/spread/fine-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3_DL

template <bool is_pure, int bits>
class FineByRecord : public ByTone, public FineDistances {
 public:
  static constexpr int kBits = bits;

  struct Constants {
    Constants() = default;
    explicit Constants(const PageKind& kind)
        : tables(&FineTablesOf(*kind.recipe)),
          bytes(&kind.records->bytes),
          levels(*kind.recipe) {}
    const FineTables* tables;
    const ToneBytes* bytes;
    LevelConstants levels;
  };

  // The numbers of two columns.
  struct Pair {
    V8 low, high, rows;
  };

  template <int i>
  static HWY_INLINE FineByRecord OfColumn(const Constants& constants,
                                          const uint8_t* feed, Pair& pair) {
    const ToneBytes& bytes = *constants.bytes;
    if constexpr (i % 2 == 0) {
      const V8 samples =
          hn::Load(D8(), feed + static_cast<size_t>(i / 2) * kVectorBytes);
      const Quarters quarters = QuartersOf(samples);
      pair.low = LookUp(bytes.value_low, samples, quarters);
      pair.high = LookUp(bytes.value_high, samples, quarters);
      pair.rows = LookUp(bytes.row, samples, quarters);
    }
    return FineByRecord(*constants.tables, pair,
                        std::bool_constant<i % 2 == 1>());
  }

  HWY_INLINE MI Decide(VI sum, VI mark_above, VI (&own)[kOwn], VI& e) {
    const VI distance = DistanceOf(mark_above, own[0]);
    const VI shift = Shift(distance, kFineMaxShift);
    VI s = hn::Add(value(), sum);
    if constexpr (is_pure) {
      s = VI{_mm512_mask_add_epi16(value().raw, is_gray_.raw, value().raw,
                                   sum.raw)};
    }
    const MI is_white = hn::Gt(s, Threshold(shift, is_light_));
    VI next = DistanceFrom(distance, is_white, is_light_);
    if constexpr (is_pure) {
      next = hn::IfThenElse(is_gray_, next, hn::Set(DI(), kFar));
    }
    GoOn(own, next);
    e = ErrorOf(s, is_white);
    return is_white;
  }

  HWY_INLINE V16 Sample(const Constants& constants, MI is_white) const {
    return SampleOf<bits>(packed_, is_white, constants.levels);
  }

 private:
  template <bool is_odd>
  static HWY_INLINE VI PackedOf(const Pair& pair) {
    return hn::BitCast(DI(), FineLanes<is_odd>(pair.low, pair.high));
  }

  template <bool is_odd>
  HWY_INLINE FineByRecord(const FineTables& tables, const Pair& pair,
                          std::bool_constant<is_odd> odd)
      : ByTone(tables, FinePair(pair.rows),
               ValueOf<bits>(PackedOf<is_odd>(pair)), odd),
        packed_(PackedOf<is_odd>(pair)) {
    const V16 rows = FineLanes<is_odd>(pair.rows, pair.rows);
    is_light_ = MI{_mm512_movepi16_mask(rows.raw)};
    is_gray_ = MI{_mm512_movepi16_mask(hn::Add(rows, rows).raw)};
  }

  VI packed_;
  MI is_light_;
  MI is_gray_;
};

#else

template <bool is_pure, int bits>
class FineByRecord : public FineDistances {
 public:
  static constexpr bool kReachesTwoLeft = true;
  static constexpr bool kHasTables = true;
  static constexpr int kLead = 1;
  static constexpr int kBits = bits;
  struct Pair {};

  struct Constants {
    Constants() = default;
    explicit Constants(const PageKind& kind)
        : records(kind.records->of), levels(*kind.recipe) {}
    const ToneRecord* records;
    LevelConstants levels;
  };

  template <int i>
  static HWY_INLINE FineByRecord OfColumn(const Constants& constants,
                                          const uint8_t* feed, Pair&) {
    return FineByRecord(NumbersOf<i>(constants.records, feed));
  }

  HWY_INLINE VI right() const { return of_.right; }
  HWY_INLINE VI down_right() const { return of_.down_right; }
  HWY_INLINE VI down_left() const { return of_.down_left; }
  HWY_INLINE VI down_left_left() const { return of_.down_left_left; }

  HWY_INLINE MI Decide(VI sum, VI mark_above, VI (&own)[kOwn], VI& e) {
    const DI d;
    const VI value = ValueOf<bits>(of_.value);
    const VI distance = DistanceOf(mark_above, own[0]);
    const VI shift =
        hn::Min(hn::MulHigh(of_.gain, hn::Sub(distance, of_.onset)),
                hn::Set(d, static_cast<int16_t>(kFineMaxShift)));
    // A dark tone's threshold falls with the distance.
    const VI dark = hn::VecFromMask(d, hn::Gt(hn::Set(d, kWhite / 2), value));
    const VI threshold =
        hn::Add(of_.threshold, hn::Sub(hn::Xor(shift, dark), dark));
    [[maybe_unused]] VI pure;
    if constexpr (is_pure) {
      pure = hn::VecFromMask(d, hn::Lt(of_.onset, hn::Zero(d)));
      sum = hn::AndNot(pure, sum);
    }
    const VI s = hn::Add(value, sum);
    const MI is_white = hn::Gt(s, threshold);
    const VI white = hn::VecFromMask(d, is_white);
    VI next = hn::Add(hn::And(hn::Xor(white, dark), distance),
                      hn::Set(d, kDistance * kFineNear));
    if constexpr (is_pure) {
      next = hn::Max(next, hn::And(pure, hn::Set(d, kFar)));
    }
    GoOn(own, next);
    e = hn::Sub(s, hn::And(white, hn::Set(d, kWhite)));
    // Row 0 leaks (e + 4) >> 3.
    const MI is_row_0 = hn::Eq(of_.gain, hn::Zero(d));
    const VI eighth = hn::IfThenElseZero(is_row_0, hn::Set(d, 32768 / 8));
    e = hn::Sub(e, hn::MulFixedPoint15(e, eighth));
    return is_white;
  }

  HWY_INLINE V16 Sample(const Constants& constants, MI is_white) const {
    return SampleOf<bits>(of_.value, is_white, constants.levels);
  }

 private:
  explicit HWY_INLINE FineByRecord(const ToneNumbers& of) : of_(of) {}

  const ToneNumbers of_;
};

#endif

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_BY_RECORD_INL_H_
