// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The method of the classic kernels (classic_table.h) for the spread core; it
// spreads its errors itself. From step to step, it keeps sums for four columns
// in each of the two rows below. A row hands down its sums for the next row and
// for the row after it; the next row adds the latter to its own sums for that
// row.
//
// A row with runs keeps three numbers: the threshold of the next pixel, which
// no sum reaches while the color must stay; the pixels for which it must; and
// the color.

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

template <int bits, bool has_runs = false>
class Classic {
 public:
  // The completed sum for the row after the next, the last pixel's part for the
  // second column to its right, the sums for four columns of both rows, and the
  // numbers of a run.
  static constexpr int kOwn = has_runs ? 13 : 10;
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
      const int kept_pixels = kind.recipe->parameter(Recipe::kKept);
      const int margin = kernel.margin(kept_pixels);
      std::fill_n(kept, kLanes, static_cast<int16_t>(kept_pixels));
      std::fill_n(of_white, kLanes, static_cast<int16_t>(kMiddle - margin));
      std::fill_n(of_black, kLanes, static_cast<int16_t>(kMiddle + margin));
    }
    // Whole vectors: stores may alias this memory, so single numbers would be
    // broadcast again in every step.
    alignas(64) int16_t factors[13][kLanes];
    alignas(64) int16_t pure_black[kLanes];
    alignas(64) int16_t pure_white[kLanes];
    alignas(64) int16_t kept[kLanes];      // pixels after a change
    alignas(64) int16_t of_white[kLanes];  // the threshold after white
    alignas(64) int16_t of_black[kLanes];
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

  // begins: lanes at the first column of a row. ends: lanes at the column from
  // which on a row is too short for another run.
  HWY_INLINE void SetRuns(MI begins, MI ends,
                          VI (&own)[kOwn]) const requires has_runs {
    const DI d;
    const VI most = hn::Set(d, kNever);
    const VI kept = hn::Xor(own[kColor], most);
    own[kThreshold] = hn::IfThenElse(ends, kept, own[kThreshold]);
    own[kThreshold] =
        hn::IfThenElse(begins, hn::Set(d, kMiddle), own[kThreshold]);
    own[kLeft] = hn::IfThenElse(ends, most, own[kLeft]);
    own[kColor] = hn::IfThenElse(begins, hn::Set(d, 1), own[kColor]);
  }

  HWY_INLINE MI Decide(VI sum, VI passed, VI (&own)[kOwn], VI& e) {
    const DI d;
    const VI value = ValueOf<bits>(packed_);
    if constexpr (has_runs) {
      passed_ = passed;
      const VI s = hn::Add(value, sum);
      const MI is_white = hn::Gt(s, own[kThreshold]);
      e = SubWhere(is_white, s, hn::Set(d, kWhite));
      KeepRun(is_white, own);
      return is_white;
    }
    const MI pure = hn::Or(hn::Eq(packed_, hn::Load(d, constants_.pure_black)),
                           hn::Eq(packed_, hn::Load(d, constants_.pure_white)));
    passed_ = hn::IfThenZeroElse(pure, passed);
    const VI s = hn::Add(value, hn::IfThenZeroElse(pure, sum));
    const MI is_white = hn::Gt(s, hn::Set(d, kMiddle));
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
  static constexpr int16_t kMiddle = kWhite / 2;
  static constexpr int16_t kNever = INT16_MAX;  // no sum is above it
  // The numbers of a run in `own`.
  static constexpr size_t kThreshold = 10;
  static constexpr size_t kLeft = 11;   // pixels that keep the color
  static constexpr size_t kColor = 12;  // -1: white, 0: black, 1: none yet

  HWY_INLINE Classic(const Constants& constants, VI packed)
      : constants_(constants), packed_(packed) {}

  // The threshold of the next pixel.
  HWY_INLINE void KeepRun(MI is_white, VI (&own)[kOwn]) const {
    const DI d;
    const VI color = hn::VecFromMask(d, is_white);
    const VI left = hn::IfThenElse(hn::Eq(color, own[kColor]),
                                   hn::SaturatedSub(own[kLeft], hn::Set(d, 1)),
                                   hn::Load(d, constants_.kept));
    const VI free = hn::IfThenElse(is_white, hn::Load(d, constants_.of_white),
                                   hn::Load(d, constants_.of_black));
    const VI kept = hn::Xor(color, hn::Set(d, kNever));
    own[kThreshold] = hn::IfThenElse(hn::Gt(left, hn::Zero(d)), kept, free);
    own[kLeft] = left;
    own[kColor] = color;
  }

  const Constants& constants_;
  const VI packed_;
  VI passed_;
};

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_CLASSIC_INL_H_
