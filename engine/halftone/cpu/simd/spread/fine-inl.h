// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The method of `fine` for the spread core. A pixel's first own number is its
// distance in the form that its neighbors beside and below need, 32 (D + 5).
// With this scale gain · (D - onset) >> 4 is the high half of a product.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_INL_H_
#endif

#include "halftone/cpu/simd/spread/fine_rows-inl.h"
#include "halftone/cpu/simd/spread/packed_level-inl.h"
#include "halftone/cpu/simd/spread/spread_core-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// Shared by `fine` and `clustered`: the numbers that depend on the tone.
class ByTone {
 public:
  static constexpr bool kReachesTwoLeft = true;
  static constexpr bool kHasTables = true;
  static constexpr int kLead = 1;
  static constexpr int kDistance = kDistanceScale;  // a step of D
  using Pair = FinePair;

  explicit HWY_INLINE ByTone(const ToneNumbers& of)
      : value_(of.value),
        right_(of.right),
        down_right_(of.down_right),
        down_left_(of.down_left),
        down_left_left_(of.down_left_left),
        gain_(of.gain),
        onset_(of.onset),
        lift_(of.threshold) {}

  template <bool is_odd>
  HWY_INLINE ByTone(const FineTables& tables, const FinePair& pair, VI value,
                    std::bool_constant<is_odd>)
      : value_(value) {
    const DI d;
    const FineColumn<is_odd> column(tables, pair);
    right_ = Half(column.Get(kFineRight));
    down_right_ = Half(column.Get(kFineDownRight));
    // This one has a sign.
    down_left_ = hn::ShiftRight<1>(hn::BitCast(d, column.Get(kFineDownLeft)));
    down_left_left_ = Half(column.Get(kFineDownLeftLeft));
    gain_ = Half(column.Get(kFineGain));
    onset_ = hn::BitCast(d, hn::ShiftRight<3>(column.Get(kFineOnset)));
    lift_ = hn::BitCast(d, column.Get(kFineLiftLow, kFineLiftHigh));
  }

  HWY_INLINE VI value() const { return value_; }
  HWY_INLINE VI right() const { return right_; }
  HWY_INLINE VI down_right() const { return down_right_; }
  HWY_INLINE VI down_left() const { return down_left_; }
  HWY_INLINE VI down_left_left() const { return down_left_left_; }

 protected:
  static HWY_INLINE VI Half(V16 number) {
    return hn::BitCast(DI(), hn::ShiftRight<1>(number));
  }

  // distance: times kDistance.
  HWY_INLINE VI ShiftByDistance(VI distance, int most) const {
    return hn::Min(hn::MulHigh(gain_, hn::Sub(distance, onset_)),
                   hn::Set(DI(), static_cast<int16_t>(most)));
  }
  HWY_INLINE VI Shift(VI distance, int most) const {
    return hn::Add(ShiftByDistance(distance, most), lift_);
  }

  // Row 0 alone has no gain.
  HWY_INLINE MI IsTinted() const { return hn::Ne(gain_, hn::Zero(DI())); }

  // The tone is 128 or more.
  HWY_INLINE MI IsLight() const {
    return hn::Gt(value_, hn::Set(DI(), kWhite / 2 - 1));
  }

  static HWY_INLINE VI Threshold(VI shift, MI is_light) {
    const DI d;
    const VI middle = hn::Set(d, kWhite / 2);
#if HWY_TARGET == HWY_AVX3_DL
    return VI{_mm512_mask_add_epi16(_mm512_sub_epi16(middle.raw, shift.raw),
                                    is_light.raw, middle.raw, shift.raw)};
#else
    const VI light = hn::VecFromMask(d, is_light);
    return hn::Add(middle, hn::Sub(light, hn::Xor(shift, light)));
#endif
  }

  HWY_INLINE VI ErrorOf(VI s, MI is_white) const {
    const DI d;
    const VI e = SubWhere(is_white, s, hn::Set(d, kWhite));
    const VI leak = hn::ShiftRight<3>(hn::Add(e, hn::Set(d, 4)));
    return SubWhere(hn::Eq(gain_, hn::Zero(d)), e, leak);  // row 0
  }

 private:
  const VI value_;
  VI right_;  // 128 times the weights
  VI down_right_;
  VI down_left_;
  VI down_left_left_;
  VI gain_;   // times 128
  VI onset_;  // times kDistance
  VI lift_;
};

// What the methods of `fine` share: distances from pixel to pixel.
class FineDistances {
 public:
  static constexpr int kDistance = kDistanceScale;
  static constexpr int kOwn = 2;  // for this column and the one before
  static constexpr int16_t kFar = kDistance * (kFineFar + kFineNear);
  static constexpr int16_t kOutside[kOwn] = {kFar, kFar};

  // The number for the row below, from the columns around the one before.
  HWY_INLINE VI Mark(const VI (&own)[kOwn]) const {
    const VI across = hn::Set(DI(), kDistance * (kFineAcross - kFineNear));
    return hn::Min(own[1], hn::Add(hn::Min(own[0], before_), across));
  }

  // The pixel's own number; for a dot of the rarer kind the distance is 0.
  static HWY_INLINE VI DistanceFrom(VI distance, MI is_white, MI is_light) {
    const DI d;
    const VI near = hn::Set(d, kDistance * kFineNear);
#if HWY_TARGET == HWY_AVX3_DL
    return VI{_mm512_mask_add_epi16(near.raw,
                                    _kxnor_mask32(is_white.raw, is_light.raw),
                                    distance.raw, near.raw)};
#else
    const VI is_rare =
        hn::Xor(hn::VecFromMask(d, is_white), hn::VecFromMask(d, is_light));
    return hn::Add(hn::AndNot(is_rare, distance), near);
#endif
  }

 protected:
  static HWY_INLINE VI DistanceOf(VI mark_above, VI own) {
    return hn::Min(hn::Min(mark_above, own),
                   hn::Set(DI(), kDistance * kFineFar));
  }

  HWY_INLINE void GoOn(VI (&own)[kOwn], VI next) {
    before_ = own[1];
    own[1] = own[0];
    own[0] = next;
  }

 private:
  VI before_;
};

// `fine` with two levels.
template <bool is_pure>
class Fine : public ByTone, public FineDistances {
 public:
  using FineDistances::kDistance;
  static constexpr int kBits = 1;

  struct Constants {
    Constants() = default;
    explicit Constants(const PageKind& kind)
        : looked_up(&FineTablesOf(*kind.recipe)) {}
    const FineTables& tables() const { return *looked_up; }
    const FineTables* looked_up;
  };

  template <bool is_odd>
  HWY_INLINE Fine(const Constants& constants, const FinePair& pair, VI value,
                  std::bool_constant<is_odd> odd)
      : ByTone(constants.tables(), pair, value, odd) {}

  HWY_INLINE MI Decide(VI sum, VI mark_above, VI (&own)[kOwn], VI& e) {
    return DecidePure(is_pure ? IsPureValue(value()) : MI(), sum, mark_above,
                      own, e);
  }

 protected:
  HWY_INLINE MI DecidePure([[maybe_unused]] MI pure, VI sum, VI mark_above,
                           VI (&own)[kOwn], VI& e) {
    [[maybe_unused]] const DI d;
    const VI distance = DistanceOf(mark_above, own[0]);
    const VI shift = Shift(distance, kFineMaxShift);
    // Row 0 has no shift, so that this decides it, and leaves no error.
    if constexpr (is_pure) sum = hn::IfThenZeroElse(pure, sum);
    const VI s = hn::Add(value(), sum);
    const MI is_light = IsLight();
    const MI is_white = hn::Gt(s, Threshold(shift, is_light));
    VI next = DistanceFrom(distance, is_white, is_light);
    if constexpr (is_pure) next = hn::IfThenElse(pure, hn::Set(d, kFar), next);
    GoOn(own, next);
    e = ErrorOf(s, is_white);
    return is_white;
  }
};

// `fine` with more levels; tests for pure pixels at run time.
template <int bits>
class FineOfLevels : public Fine<true> {
 public:
  static constexpr int kBits = bits;

  struct Constants : Fine<true>::Constants {
    Constants() = default;
    explicit Constants(const PageKind& kind)
        : Fine<true>::Constants(kind), levels(*kind.recipe) {}
    LevelConstants levels;
  };

  // The numbers of two columns.
  struct Pair {
    FinePair rows;
    V16 even, odd;
  };

  template <int i>
  static HWY_INLINE FineOfLevels OfColumn(const Constants& constants,
                                          const uint8_t* feed, Pair& pair) {
    if constexpr (i % 2 == 0) {
      pair.even = PackLevel(Fetch<Pixels::kAny, i>(feed), constants.levels);
      pair.odd = PackLevel(Fetch<Pixels::kAny, i + 1>(feed), constants.levels);
      pair.rows = FinePair(
          constants.tables(),
          FineTonesOf(hn::ShiftLeft<4>(pair.even), hn::ShiftLeft<4>(pair.odd)));
    }
    return FineOfLevels(constants, pair, std::bool_constant<i % 2 == 1>());
  }

  HWY_INLINE MI Decide(VI sum, VI mark_above, VI (&own)[kOwn], VI& e) {
    return DecidePure(pure_, sum, mark_above, own, e);
  }

  HWY_INLINE V16 Sample(const Constants& constants, MI is_white) const {
    return SampleOf<bits>(packed_, is_white, constants.levels);
  }

 private:
  template <bool is_odd>
  HWY_INLINE FineOfLevels(const Constants& constants, const Pair& pair,
                          std::bool_constant<is_odd> odd)
      : Fine<true>(
            constants, pair.rows,
            ValueOf<bits>(hn::BitCast(DI(), is_odd ? pair.odd : pair.even)),
            odd),
        packed_(hn::BitCast(DI(), is_odd ? pair.odd : pair.even)) {
    const DI d;
    const auto is = [&](uint16_t packed) HALFTONED_ATTR {
      return hn::Eq(packed_, hn::Set(d, static_cast<int16_t>(packed)));
    };
    pure_ = hn::Or(is(constants.levels.pure_black),
                   is(constants.levels.pure_white));
  }

  VI packed_;
  MI pure_;
};

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_FINE_INL_H_
