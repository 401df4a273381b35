// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The method of the classic kernels (classic_table.h) for the spread core; it
// spreads its errors itself. From step to step, it keeps sums for four columns
// in each of the two rows below. A row hands down its sums for the next row and
// for the row after it; the next row adds the latter to its own sums for that
// row.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SPREAD_CLASSIC_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_CLASSIC_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_CLASSIC_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SPREAD_CLASSIC_INL_H_
#endif

#include "halftone/cpu/classic_table.h"
#include "halftone/cpu/simd/spread/packed_level-inl.h"
#include "halftone/cpu/simd/spread/spread_core-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

template <int bits>
class Classic {
 public:
  // The completed sum for the row after the next, the last pixel's part for the
  // second column to its right, and the sums for four columns of both rows.
  static constexpr int kOwn = 10;
  static constexpr int16_t kOutside[kOwn] = {};
  static constexpr int kLead = kSumLead;
  static constexpr int kBits = bits;
  static constexpr bool kHasTables = false;
  static constexpr bool kReadsFeed = true;
  static constexpr bool kSpreadsItself = true;
  struct Pair {};

  struct Constants {
    Constants() = default;
    explicit Constants(const PageKind& kind) : levels(*kind.recipe) {
      const ClassicKernel& kernel = ClassicKernelOf(kind.recipe->algorithm());
      for (size_t i = 0; i < std::size(factors); ++i) {
        std::fill_n(factors[i], kLanes, kernel.factor(i));
      }
      std::fill_n(pure_black, kLanes, static_cast<int16_t>(levels.pure_black));
      std::fill_n(pure_white, kLanes, static_cast<int16_t>(levels.pure_white));
    }
    // Whole vectors: stores may alias this memory, so single numbers would be
    // broadcast again in every step.
    alignas(64) int16_t factors[13][kLanes];
    alignas(64) int16_t pure_black[kLanes];
    alignas(64) int16_t pure_white[kLanes];
    LevelConstants levels;
  };

  template <int i>
  static HWY_INLINE Classic OfColumn(const Constants& constants,
                                     const uint8_t* feed, Pair&) {
    const V16 scaled = Fetch<Pixels::kAny, i>(feed);
    const V16 packed = bits == 1 ? hn::ShiftRight<4>(scaled)
                                 : PackLevel(scaled, constants.levels);
    return Classic(constants, hn::BitCast(DI(), packed));
  }

  HWY_INLINE MI Decide(VI sum, VI passed, VI (&)[kOwn], VI& e) {
    const DI d;
    const VI value = ValueOf<bits>(packed_);
    const MI pure = hn::Or(hn::Eq(packed_, hn::Load(d, constants_.pure_black)),
                           hn::Eq(packed_, hn::Load(d, constants_.pure_white)));
    passed_ = hn::IfThenZeroElse(pure, passed);
    const VI s = hn::Add(value, hn::IfThenZeroElse(pure, sum));
    const MI is_white = hn::Gt(s, hn::Set(d, kWhite / 2));
    e = SubWhere(is_white, s, hn::Set(d, kWhite));
    return is_white;
  }

  // Returns the completed sum; sets `right` to what the next column gets.
  HWY_INLINE VI Spread(VI e, VI (&own)[kOwn], VI& right) const {
    const DI d;
    const auto part = [&](size_t i) HALFTONED_ATTR {
      return hn::MulFixedPoint15(e, hn::Load(d, constants_.factors[i]));
    };
    constexpr size_t kBelow = ClassicKernel::kBelow;
    constexpr size_t kLowest = ClassicKernel::kLowest;
    VI* const below = own + 2;
    VI* const lowest = own + 6;
    // Symmetric weights make equal parts (ClassicKernel::IsSound).
    const VI one_right = part(0);
    const VI two_right = part(1);
    const VI aside = part(kBelow);
    const VI left = part(kBelow + 1);
    const VI lowest_aside = part(kLowest);
    const VI lowest_beside = part(kLowest + 1);
    const VI lowest_middle = part(kLowest + 2);
    const VI down_right = part(kBelow + 3);
    const VI twice = hn::Add(hn::Add(aside, lowest_aside), lowest_beside);
    const VI once =
        hn::Add(hn::Add(one_right, two_right), hn::Add(left, down_right));
    const VI others =
        hn::Add(hn::Add(hn::Add(twice, twice), once),
                hn::Add(lowest_middle, part(ClassicKernel::kNobody)));
    right = hn::Add(one_right, own[1]);
    own[1] = two_right;
    own[0] = hn::Add(lowest[0], lowest_aside);
    lowest[0] = hn::Add(lowest[1], lowest_beside);
    lowest[1] = hn::Add(lowest[2], lowest_middle);
    lowest[2] = hn::Add(lowest[3], lowest_beside);
    lowest[3] = lowest_aside;
    const VI sum = hn::Add(below[0], aside);
    below[0] = hn::Add(below[1], left);
    below[1] = hn::Add(hn::Add(below[2], passed_), hn::Sub(e, others));
    below[2] = hn::Add(below[3], down_right);
    below[3] = aside;
    return sum;
  }

  HWY_INLINE VI Mark(const VI (&own)[kOwn]) const { return own[0]; }

  HWY_INLINE V16 Sample(const Constants& constants, MI is_white) const {
    return SampleOf<bits>(packed_, is_white, constants.levels);
  }

 private:
  HWY_INLINE Classic(const Constants& constants, VI packed)
      : constants_(constants), packed_(packed) {}

  const Constants& constants_;
  const VI packed_;
  VI passed_;
};

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_CLASSIC_INL_H_
