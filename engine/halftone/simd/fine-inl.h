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

#include "halftone/simd/fine_tables.h"
#include "halftone/simd/spread_core-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// Rows of the table, one for each lane, and their numbers.
class FineRows {
 public:
  // row: 0 … 43.
  HWY_INLINE explicit FineRows(V16 row) {
#if HWY_TARGET == HWY_AVX3_DL
    bytes_ = _mm512_mullo_epi16(row.raw, _mm512_set1_epi16(0x0101));
#else
    // A lookup has 16 entries, and gives 0 where the highest bit is set: of
    // three, one has the row.
    const D16 d;
    const V16 high = hn::ShiftLeft<8>(row);
    const V16 bias = hn::Set(d, 0x7080);
    HALFTONED_UNROLL
    for (int k = 0; k < 3; ++k) {
      third_[k] = hn::BitCast(
          D8(), hn::Add(hn::Xor(high, hn::Set(d, uint16_t(0x1000 * k))), bias));
    }
#endif
  }

  // 256 times the number.
  HWY_INLINE V16 Get(const FineTables::Column& column) const {
#if HWY_TARGET == HWY_AVX3_DL
    return V16{_mm512_maskz_permutexvar_epi8(0xaaaaaaaaaaaaaaaa, bytes_,
                                             _mm512_load_si512(column.data()))};
#else
    const D8 d;
    const auto part = [&](int k) HWY_ATTR {
      return hn::TableLookupBytesOr0(hn::LoadDup128(d, column.data() + 16 * k),
                                     third_[k]);
    };
    return hn::BitCast(D16(), hn::Or(hn::Or(part(0), part(1)), part(2)));
#endif
  }

  HWY_INLINE V16 Get(const FineTables::Column& low,
                     const FineTables::Column& high) const {
#if HWY_TARGET == HWY_AVX3_DL
    return V16{_mm512_mask_permutexvar_epi8(Get(high).raw, 0x5555555555555555,
                                            bytes_,
                                            _mm512_load_si512(low.data()))};
#else
    return hn::Or(Get(high), hn::ShiftRight<8>(Get(low)));
#endif
  }

 private:
#if HWY_TARGET == HWY_AVX3_DL
  __m512i bytes_;  // the row in both of a lane's
#else
  V8 third_[3];
#endif
};

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

  HWY_INLINE Fine(const Constants&, const PixelOf& pixel)
      : value_(pixel.value) {
    const D16 du;
    const DI d;
    const V16 rounded = hn::Add(pixel.scaled, hn::Set(du, 128));
    light_ = hn::BitCast(d, rounded);
    const V16 tone = hn::ShiftRight<8>(rounded);
    const V16 u = hn::Min(tone, hn::Xor(tone, hn::Set(du, 255)));
    const V16 row = hn::Min(u, hn::ShiftRight<2>(hn::Add(u, hn::Set(du, 48))));
    is_end_ = hn::Eq(hn::BitCast(d, row), hn::Zero(d));
    const FineRows rows(row);
    right_ = Weight(rows.Get(kFineTables.right));
    down_right_ = Weight(rows.Get(kFineTables.down_right));
    down_left_ =
        hn::ShiftRight<1>(hn::BitCast(d, rows.Get(kFineTables.down_left)));
    down_left_left_ = Weight(rows.Get(kFineTables.down_left_left));
    gain_ = Weight(rows.Get(kFineTables.gain));
    onset_ = hn::BitCast(d, hn::ShiftRight<3>(rows.Get(kFineTables.onset)));
    lift_ =
        hn::BitCast(d, rows.Get(kFineTables.lift_low, kFineTables.lift_high));
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
    const VI middle = hn::Set(d, kWhite / 2);
    before_ = own[1];
    own[1] = own[0];
#if HWY_TARGET == HWY_AVX3_DL
    const __mmask32 light = _mm512_movepi16_mask(light_.raw);
    const VI threshold{_mm512_mask_sub_epi16(
        _mm512_add_epi16(middle.raw, shift.raw), static_cast<__mmask32>(~light),
        middle.raw, shift.raw)};
    const MI is_white = hn::Gt(s, threshold);
    const __mmask32 is_kept = _kxnor_mask32(is_white.raw, light);
    const VI near = hn::Set(d, kDistance * kFineNear);
    own[0] =
        VI{_mm512_mask_add_epi16(near.raw, is_kept, distance.raw, near.raw)};
#else
    const VI light = hn::BroadcastSignBit(light_);
    const VI signed_shift = hn::Sub(hn::Xor(shift, light), light);
    const MI is_white = hn::Gt(s, hn::Sub(middle, signed_shift));
    const VI is_rare = hn::Xor(hn::VecFromMask(d, is_white), light);
    own[0] = hn::Add(hn::AndNot(is_rare, distance),
                     hn::Set(d, kDistance * kFineNear));
#endif
    e = SubWhere(is_white, s, hn::Set(d, kWhite));
    const VI leak = hn::ShiftRight<3>(hn::Add(e, hn::Set(d, 4)));
    e = SubWhere(is_end_, e, leak);
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
  // 128 w from 256 w.
  static HWY_INLINE VI Weight(V16 w) {
    return hn::BitCast(DI(), hn::ShiftRight<1>(w));
  }

  const VI value_;
  VI light_;   // negative where the tone is 128 or more
  MI is_end_;  // row 0
  VI right_;
  VI down_right_;
  VI down_left_;
  VI down_left_left_;
  VI gain_;
  VI onset_;
  VI lift_;
  VI before_;
};

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_SIMD_FINE_INL_H_
