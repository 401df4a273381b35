// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The method of `fine` with print feedback (print_feedback.h). The lowest five
// bits of a pixel's numbers are free, and hold bits of pixels.
//
//   own 0     its state, 32 (D + 5) + 16 b
//   own 2     the bits of this column and the one before, 2 b + b'
//   own 3     the number that noise is made from
//   a mark    the distance for the row below, + 16 b + 8 b'
//
// Records and tables have the bias in the value and in the threshold.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_ON_PAPER_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_ON_PAPER_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_ON_PAPER_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_ON_PAPER_INL_H_
#endif

#include "halftone/cpu/simd/spread/fine_by_record-inl.h"
#include "halftone/page/print_feedback.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// What both kinds of code below share.
class OnPaper {
 public:
  static constexpr bool kReachesTwoLeft = true;
  static constexpr bool kHasTables = true;
  static constexpr bool kReadsFeed = true;
  static constexpr int kNoiseOwn = 3;
  static constexpr int kLead = 1;
  static constexpr int kBits = 1;
  static constexpr int kOwn = 4;
  static constexpr int16_t kFar = kDistanceScale * (kFineFar + kFineNear);
  static constexpr int16_t kWhiteState = kDistanceScale / 2;
  static constexpr int16_t kOutside[kOwn] = {kFar + kWhiteState,
                                             kFar + kWhiteState, 3, 1};

  HWY_INLINE VI Mark(const VI (&own)[kOwn]) const {
    const DI d;
    const VI across = hn::Set(d, kDistanceScale * (kFineAcross - kFineNear));
    const VI near = hn::Min(own[1], hn::Add(hn::Min(own[0], before_), across));
    return hn::Or(Distance(near), hn::ShiftLeft<3>(bits_));
  }

 protected:
  static HWY_INLINE VI Distance(VI state) {
    return hn::And(state, hn::Set(DI(), -kDistanceScale));
  }
  static HWY_INLINE VI DistanceFrom(VI mark_above, const VI (&own)[kOwn]) {
    return Distance(hn::Min(
        hn::Min(mark_above, own[0]),
        hn::Set(DI(), static_cast<int16_t>(kDistanceScale * kFineFar))));
  }

  // amplitude: in kNoiseStep.
  static HWY_INLINE VI Noise(VI amplitude, VI (&own)[kOwn]) {
    const VI noise =
        hn::ShiftLeft<3>(hn::MulFixedPoint15(own[kNoiseOwn], amplitude));
    own[kNoiseOwn] = hn::Mul(own[kNoiseOwn],
                             hn::Set(DI(), static_cast<int16_t>(kNoiseFactor)));
    return noise;
  }
  static_assert(kNoiseStep == 8);

  // DelayOf where the outside is above, before Noise. value: that of the pixel,
  // with a bias of 0 where there is a delay. Hardly any step has one.
  static HWY_INLINE VI AddDelay(VI s, VI value, VI mark_above,
                                const VI (&own)[kOwn]) {
    const DI d;
    const D16 du;
    const MI is_first =
        hn::Gt(mark_above, hn::Set(d, kDistanceScale * kBelowOutside - 1));
    if (HWY_LIKELY(hn::AllFalse(d, is_first))) return s;
    const VI to_white = hn::Sub(hn::Set(d, kWhite), value);
    const VI x = hn::Min(value, to_white);
    const VI most =
        hn::Max(hn::Mul(hn::Set(d, kDelay),
                        hn::Min(x, hn::Sub(hn::Set(d, kDelayedEnd), x))),
                hn::Zero(d));
    const VI delay = hn::BitCast(
        d, hn::MulHigh(hn::BitCast(du, own[kNoiseOwn]), hn::BitCast(du, most)));
    const MI is_dark = hn::Lt(value, to_white);
    const VI signed_delay = hn::IfThenElse(is_dark, hn::Neg(delay), delay);
    return hn::Add(s, hn::IfThenElseZero(is_first, signed_delay));
  }

  static HWY_INLINE VI Light(VI strength, VI of_window) {
    return hn::ShiftRight<4>(hn::Mul(strength, of_window));
  }

  // state: the pixel's, without its bit. bit: all ones where it is white.
  HWY_INLINE void GoOn(VI (&own)[kOwn], VI state, VI bit) {
    const DI d;
    before_ = own[1];
    own[1] = own[0];
    own[0] = hn::Add(state, hn::And(bit, hn::Set(d, kWhiteState)));
    bits_ = own[2];
    own[2] = hn::Or(hn::ShiftRight<1>(bits_), hn::And(bit, hn::Set(d, 2)));
  }

 private:
  VI before_;
  VI bits_;  // of the two columns before
};

// By records of samples, or of values where samples have 16 bits.
template <bool is_pure, bool is_deep>
class FineOnPaper : public OnPaper {
 public:
  struct Pair {};

  struct Constants {
    Constants() = default;
    explicit Constants(const PageKind& kind)
        : records(is_deep ? kind.records->of_values.data() : kind.records->of),
          middle(kind.records->middle) {}
    const ToneRecord* records;
    int16_t middle;  // least value of light tones
  };

  template <int i>
  static HWY_INLINE FineOnPaper OfColumn(const Constants& constants,
                                         const uint8_t* feed, Pair&) {
    return FineOnPaper(constants,
                       NumbersOf<i, is_deep>(constants.records, feed));
  }

  HWY_INLINE VI right() const { return of_.right; }
  HWY_INLINE VI down_right() const { return Weight(of_.down_right); }
  HWY_INLINE VI down_left() const { return of_.down_left; }
  HWY_INLINE VI down_left_left() const { return of_.down_left_left; }

  HWY_INLINE MI Decide(VI sum, VI mark_above, VI (&own)[kOwn], VI& e) {
    const DI d;
    const VI distance = DistanceFrom(mark_above, own);
    const VI shift =
        hn::Min(hn::MulHigh(Weight(of_.gain), hn::Sub(distance, of_.onset)),
                hn::Set(d, static_cast<int16_t>(kFineMaxShift)));
    const VI dark = hn::VecFromMask(d, hn::Lt(of_.value, hn::Set(d, middle_)));
    const VI threshold =
        hn::Add(of_.threshold, hn::Sub(hn::Xor(shift, dark), dark));
    [[maybe_unused]] VI pure;
    if constexpr (is_pure) {
      pure = hn::VecFromMask(d, hn::Lt(of_.onset, hn::Zero(d)));
      sum = hn::AndNot(pure, sum);
    }
    const VI s = AddDelay(hn::Add(of_.value, sum), of_.value, mark_above, own);
    const VI noise = Noise(Spare(of_.down_right), own);
    const MI is_white = hn::Gt(hn::Add(s, noise), threshold);
    const VI white = hn::VecFromMask(d, is_white);
    const VI light = Light(Spare(of_.gain), Window(mark_above, own[0], white));
    VI next = hn::Add(hn::And(hn::Xor(white, dark), distance),
                      hn::Set(d, kDistanceScale * kFineNear));
    if constexpr (is_pure) {
      next = hn::Max(next, hn::And(pure, hn::Set(d, kFar)));
      GoOn(own, next, hn::Or(white, pure));
    } else {
      GoOn(own, next, white);
    }
    e = hn::Add(hn::Sub(s, hn::And(white, hn::Set(d, kWhite))), light);
    // Row 0 leaks (e + 4) >> 3.
    const MI is_row_0 = hn::Eq(of_.gain, hn::Zero(d));
    const VI eighth = hn::IfThenElseZero(is_row_0, hn::Set(d, 32768 / 8));
    e = hn::Sub(e, hn::MulFixedPoint15(e, eighth));
    return is_white;
  }

 private:
  HWY_INLINE FineOnPaper(const Constants& constants, const ToneNumbers& of)
      : middle_(constants.middle), of_(of) {}

  // Two numbers in one; see ToneRecord.
  static HWY_INLINE VI Weight(VI both) {
    return hn::And(both, hn::Set(DI(), int16_t{-128}));
  }
  static HWY_INLINE VI Spare(VI both) {
    return hn::And(both, hn::Set(DI(), int16_t{127}));
  }

  // The light of the window that ends at a pixel which is white or not.
  static HWY_INLINE VI Window(VI mark_above, VI left, VI white) {
    const DI d;
    const D8 d8;
    const VI around = hn::And(left, hn::Set(d, kWhiteState));
    const VI above =
        hn::And(mark_above, hn::Set(d, kWhiteState + kWhiteState / 2));
    const VI place = hn::Sub(hn::ShiftRight<2>(hn::Add(around, above)), white);
    return hn::BitCast(d, LookUpBytes(hn::LoadDup128(d8, kWindows.light),
                                      hn::BitCast(d8, place)));
  }

  // By 2 (2 (left + above) + across) + b, for bytes; that of 0 is 0.
  struct Windows {
    alignas(16) uint8_t light[16];
  };
  static constexpr Windows kWindows = [] {
    Windows windows{};
    for (int i = 0; i < 12; ++i) {
      windows.light[i] = static_cast<uint8_t>(
          kWindowLight.Of(i >> 2, (i & 2) != 0, (i & 1) != 0));
    }
    return windows;
  }();

  const int16_t middle_;
  const ToneNumbers of_;
};

#if HWY_TARGET == HWY_AVX3_DL

// 8-bit samples, by lookups in registers.
template <bool is_pure>
class FineOnPaperOfBytes : public OnPaper {
 public:
  struct Constants {
    Constants() = default;
    explicit Constants(const PageKind& kind)
        : tables(&FineTablesOf(*kind.recipe)), bytes(&kind.records->bytes) {}
    const FineTables* tables;
    const ToneBytes* bytes;
  };

  // The numbers of two columns.
  struct Pair {
    V8 value_low, value_high, threshold_low, threshold_high, rows, strength,
        noise;
  };

  template <int i>
  static HWY_INLINE FineOnPaperOfBytes OfColumn(const Constants& constants,
                                                const uint8_t* feed,
                                                Pair& pair) {
    if constexpr (i % 2 == 0) {
      const ToneBytes& bytes = *constants.bytes;
      const V8 samples =
          hn::Load(D8(), feed + static_cast<size_t>(i / 2) * kVectorBytes);
      const Quarters quarters = QuartersOf(samples);
      pair = {LookUp(bytes.value_low, samples, quarters),
              LookUp(bytes.value_high, samples, quarters),
              LookUp(bytes.threshold_low, samples, quarters),
              LookUp(bytes.threshold_high, samples, quarters),
              LookUp(bytes.row, samples, quarters),
              LookUp(bytes.strength, samples, quarters),
              LookUp(bytes.noise, samples, quarters)};
    }
    return FineOnPaperOfBytes(*constants.tables, pair,
                              std::bool_constant<i % 2 == 1>());
  }

  HWY_INLINE VI right() const { return tone_.right(); }
  HWY_INLINE VI down_right() const { return tone_.down_right(); }
  HWY_INLINE VI down_left() const { return tone_.down_left(); }
  HWY_INLINE VI down_left_left() const { return tone_.down_left_left(); }

  HWY_INLINE MI Decide(VI sum, VI mark_above, VI (&own)[kOwn], VI& e) {
    const DI d;
    const VI distance = DistanceFrom(mark_above, own);
    const VI shift = tone_.ShiftByDistance(distance, kFineMaxShift);
    const VI value = tone_.value();
    VI s = hn::Add(value, sum);
    if constexpr (is_pure) {
      s = VI{
          _mm512_mask_add_epi16(value.raw, is_gray_.raw, value.raw, sum.raw)};
    }
    s = AddDelay(s, value, mark_above, own);
    const VI threshold{
        _mm512_mask_add_epi16(_mm512_sub_epi16(threshold_.raw, shift.raw),
                              is_light_.raw, threshold_.raw, shift.raw)};
    const VI noise = Noise(noise_, own);
    const MI is_white = hn::Gt(hn::Add(s, noise), threshold);
    const VI light =
        Light(strength_, Window(hn::Or(mark_above, own[2]), is_white));
    VI next = FineDistances::DistanceFrom(distance, is_white, is_light_);
    MI bit = is_white;
    if constexpr (is_pure) {
      next = hn::IfThenElse(is_gray_, next, hn::Set(d, kFar));
      bit = MI{_kor_mask32(is_white.raw, _knot_mask32(is_gray_.raw))};
    }
    GoOn(own, next, hn::VecFromMask(d, bit));
    e = hn::Add(tone_.ErrorOf(s, is_white), light);
    return is_white;
  }

 private:
  struct Tone : ByTone {
    template <bool is_odd>
    HWY_INLINE Tone(const FineTables& tables, const FinePair& pair, VI value,
                    std::bool_constant<is_odd> odd)
        : ByTone(tables, pair, value, odd) {}
    using ByTone::ErrorOf;
    using ByTone::ShiftByDistance;
  };

  template <bool is_odd>
  static HWY_INLINE VI Lanes(V8 low, V8 high) {
    return hn::BitCast(DI(), FineLanes<is_odd>(low, high));
  }

  template <bool is_odd>
  HWY_INLINE FineOnPaperOfBytes(const FineTables& tables, const Pair& pair,
                                std::bool_constant<is_odd> odd)
      : tone_(tables, FinePair(pair.rows),
              Lanes<is_odd>(pair.value_low, pair.value_high), odd),
        threshold_(Lanes<is_odd>(pair.threshold_low, pair.threshold_high)),
        strength_(Lanes<is_odd>(pair.strength, hn::Zero(D8()))),
        noise_(Lanes<is_odd>(pair.noise, hn::Zero(D8()))) {
    const V16 rows = FineLanes<is_odd>(pair.rows, pair.rows);
    is_light_ = MI{_mm512_movepi16_mask(rows.raw)};
    is_gray_ = MI{_mm512_movepi16_mask(hn::Add(rows, rows).raw)};
  }

  // bits: as in kWindows; those above the lowest five do not count.
  static HWY_INLINE VI Window(VI bits, MI is_white) {
    const VI with_own =
        hn::Or(bits, hn::IfThenElseZero(is_white, hn::Set(DI(), 4)));
    return VI{_mm512_permutexvar_epi16(with_own.raw,
                                       _mm512_load_si512(kWindows.light))};
  }

  // By 16 above + 8 across + 4 b + 2 left; 1 does not count.
  struct Windows {
    alignas(64) uint16_t light[32];
  };
  static constexpr Windows kWindows = [] {
    Windows windows{};
    for (int i = 0; i < 32; ++i) {
      const int around = (i >> 4) + (i >> 1 & 1);
      windows.light[i] = static_cast<uint16_t>(
          kWindowLight.Of(around, (i & 8) != 0, (i & 4) != 0));
    }
    return windows;
  }();

  Tone tone_;
  VI threshold_;
  VI strength_;
  VI noise_;
  MI is_light_;
  MI is_gray_;
};

#endif

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_ON_PAPER_INL_H_
