// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The method of `printer-model` for the spread core: it looks at the dots
// printed to the left and above.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SPREAD_PRINTER_MODEL_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_PRINTER_MODEL_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_PRINTER_MODEL_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SPREAD_PRINTER_MODEL_INL_H_
#endif

#include "halftone/cpu/simd/spread/spread_core-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

template <bool is_pure>
class PrinterModel {
 public:
  static constexpr int kBits = 1;
  static constexpr int kOwn =
      1;  // whether the pixel is black, for the row below
  static constexpr int kLead = 0;
  static constexpr bool kReachesTwoLeft = false;
  static constexpr bool kHasTables = false;
  static constexpr int16_t kOutside[kOwn] = {0};

  // The method needs only a pixel's value.
  struct Pair {};

  struct Constants {
    Constants() = default;
    explicit Constants(const PageKind& kind)
        : ink(static_cast<int16_t>(kind.recipe->parameter(Recipe::kInk))),
          overlap(
              static_cast<int16_t>(kind.recipe->parameter(Recipe::kOverlap))),
          solid(static_cast<int16_t>(kWhite - ink + 2 * overlap)) {}
    int16_t ink;
    int16_t overlap;
    int16_t solid;
  };

  template <bool is_odd>
  HWY_INLINE PrinterModel(const Constants& constants, const Pair&, VI value,
                          std::bool_constant<is_odd>)
      : constants_(constants), value_(value) {}

  HWY_INLINE MI Decide(VI sum, VI mark_above, VI (&own)[kOwn], VI& e) {
    const DI d;
    const VI s = hn::Add(hn::Max(value_, hn::Set(d, constants_.solid)), sum);
    const VI white = hn::Set(d, kWhite);
    const VI dots = hn::Add(own[0], mark_above);
    const VI dot = hn::Sub(hn::Set(d, constants_.ink),
                           hn::Mul(dots, hn::Set(d, constants_.overlap)));
    MI is_white = hn::Gt(s, hn::Sub(white, hn::ShiftRight<1>(dot)));
    if constexpr (is_pure) {
      is_white = hn::Or(is_white, hn::Eq(value_, white));
      is_white = hn::AndNot(hn::Eq(value_, hn::Zero(d)), is_white);
    }
    e = hn::Add(hn::Sub(s, white), hn::IfThenZeroElse(is_white, dot));
    if constexpr (is_pure) e = hn::IfThenZeroElse(IsPureValue(value_), e);
    own[0] = hn::IfThenZeroElse(is_white, hn::Set(d, 1));
    return is_white;
  }

  HWY_INLINE VI Mark(const VI (&own)[kOwn]) const { return own[0]; }
  HWY_INLINE VI right() const { return Weight(kFloydSteinbergWeights.right); }
  HWY_INLINE VI down_right() const {
    return Weight(kFloydSteinbergWeights.down_right);
  }
  HWY_INLINE VI down_left() const {
    return Weight(kFloydSteinbergWeights.down_left);
  }

 private:
  static HWY_INLINE VI Weight(int w) {
    return hn::Set(DI(), static_cast<int16_t>(128 * w));
  }

  const Constants& constants_;
  const VI value_;
};

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_PRINTER_MODEL_INL_H_
