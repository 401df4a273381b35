// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The method of `fine` for the spread core. Of a pixel's own numbers the first
// is its distance as its neighbours beside and below will count it, 32 (D + 5):
// so scaled, gain · (D - onset) >> 4 is the high half of a product.

#if defined(HALFTONED_HALFTONE_SIMD_FINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_SIMD_FINE_INL_H_
#undef HALFTONED_HALFTONE_SIMD_FINE_INL_H_
#else
#define HALFTONED_HALFTONE_SIMD_FINE_INL_H_
#endif

#include "halftone/simd/fine_rows-inl.h"
#include "halftone/simd/spread_core-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

template <bool is_pure>
class Fine {
 public:
  static constexpr int kOwn = 2;  // of this column and the one before
  static constexpr int kLead = 1;
  static constexpr bool kReachesTwoLeft = true;
  static constexpr int kDistance = 32;  // a step of D
  static constexpr int16_t kOutside = kDistance * (kFineFar + kFineNear);

  struct Constants {
    Constants() = default;
    explicit Constants(const Recipe&) {}
  };
  using Pair = FinePair;

  template <bool is_odd>
  HWY_INLINE Fine(const Constants&, const FinePair& pair, VI value,
                  std::bool_constant<is_odd>)
      : value_(value) {
    const DI d;
    const FineColumn<is_odd> column(pair);
    const auto weight = [&](FineNumber number) HWY_ATTR {
      return hn::BitCast(d, hn::ShiftRight<1>(column.Get(number)));
    };
    right_ = weight(kFineRight);
    down_right_ = weight(kFineDownRight);
    down_left_ = hn::ShiftRight<1>(hn::BitCast(d, column.Get(kFineDownLeft)));
    down_left_left_ = weight(kFineDownLeftLeft);
    gain_ = weight(kFineGain);
    onset_ = hn::BitCast(d, hn::ShiftRight<3>(column.Get(kFineOnset)));
    lift_ = hn::BitCast(d, column.Get(kFineLiftLow, kFineLiftHigh));
  }

  HWY_INLINE VI value() const { return value_; }

  HWY_INLINE MI Decide(VI s, VI mark_above, VI (&own)[kOwn], VI& e) {
    const DI d;
    const VI distance =
        hn::Min(hn::Min(mark_above, own[0]), hn::Set(d, kDistance * kFineFar));
    const VI shift =
        hn::Add(hn::Min(hn::MulHigh(gain_, hn::Sub(distance, onset_)),
                        hn::Set(d, kFineMaxShift)),
                lift_);
    if constexpr (is_pure) {
      // Row 0 has no shift, so that this decides it, and leaves no error.
      s = hn::IfThenElse(IsPureValue(value_), value_, s);
    }
    before_ = own[1];
    own[1] = own[0];
    // The tone is 128 or more.
    const MI is_light = hn::Gt(value_, hn::Set(d, kWhite / 2 - 1));
    const MI is_white = hn::Gt(s, Threshold(shift, is_light));
    own[0] = DistanceFrom(distance, is_white, is_light);
    e = SubWhere(is_white, s, hn::Set(d, kWhite));
    const VI leak = hn::ShiftRight<3>(hn::Add(e, hn::Set(d, 4)));
    e = SubWhere(hn::Eq(gain_, hn::Zero(d)), e, leak);  // row 0
    return is_white;
  }

  // What the row below must know of the columns around the one before.
  HWY_INLINE VI Mark(const VI (&own)[kOwn]) const {
    const VI across = hn::Set(DI(), kDistance * (kFineAcross - kFineNear));
    return hn::Min(own[1], hn::Add(hn::Min(own[0], before_), across));
  }

  HWY_INLINE VI right() const { return right_; }
  HWY_INLINE VI down_right() const { return down_right_; }
  HWY_INLINE VI down_left() const { return down_left_; }
  HWY_INLINE VI down_left_left() const { return down_left_left_; }

 private:
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

  // What the pixel's own number is: it is 0 again where it is of the rarer
  // kind.
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

  const VI value_;
  VI right_;  // 128 times the weights
  VI down_right_;
  VI down_left_;
  VI down_left_left_;
  VI gain_;   // times 128
  VI onset_;  // times kDistance
  VI lift_;
  VI before_;
};

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_SIMD_FINE_INL_H_
