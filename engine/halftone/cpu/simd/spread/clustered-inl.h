// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The method of `clustered` for the spread core. As in fine-inl.h, a pixel's
// first own number is its state in the form that its neighbors beside and below
// need: 32 (S + 10), which is less than 32 · 10 if its cluster continues below,
// and then an odd multiple of 32 if the cluster is white.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SPREAD_CLUSTERED_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_CLUSTERED_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_CLUSTERED_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SPREAD_CLUSTERED_INL_H_
#endif

#include "halftone/cpu/simd/spread/fine-inl.h"
#include "halftone/page/clustered_table.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

template <bool is_pure>
class Clustered : public ByTone {
 public:
  // The states of this column and the one before, the number of columns that
  // the cluster still needs to the right (of a black one times -1), and the
  // number that noise is made from.
  static constexpr int kOwn = 4;
  static constexpr int kNoiseOwn = 3;
  static constexpr int kBits = 1;
  static constexpr int16_t kNearest = kDistance * kClusterNear;
  static constexpr int16_t kFar = kDistance * kClusterFar + kNearest;
  static constexpr int16_t kOutside[kOwn] = {kFar, kFar, 0, 1};

  struct Constants {
    Constants() = default;
    explicit Constants(const PageKind& kind)
        : records(kind.records ? kind.records->of : nullptr) {
      const int size = kind.recipe->parameter(Recipe::kClusterSize);
      const ClusterShape shape = ClusterShapeOf(size);
      columns = static_cast<int16_t>(shape.columns);
      column = FirstOf(shape.rows - 1);
      last_column = FirstOf(shape.rows - 1 - shape.missing);
      looked_up = &kClusteredTables[ClusterTableOf(size)];
    }
    const FineTables& tables() const { return *looked_up; }

    // A dot in the first row of a black cluster.
    static int16_t FirstOf(int below) {
      return static_cast<int16_t>(kNearest +
                                  kDistance * ClusterState(below, false));
    }

    int16_t columns;
    int16_t column;  // the state of a dot in a black cluster's first row
    int16_t last_column;
    const FineTables* looked_up;
    const ToneRecord* records;
  };

#if HWY_TARGET != HWY_AVX3_DL
  template <int i>
  static HWY_INLINE Clustered OfColumn(const Constants& constants,
                                       const uint8_t* feed, Pair&) {
    return Clustered(constants, NumbersOf<i>(constants.records, feed));
  }
#endif

  template <bool is_odd>
  HWY_INLINE Clustered(const Constants& constants, const FinePair& pair,
                       VI value, std::bool_constant<is_odd> odd)
      : ByTone(constants.tables(), pair, value, odd), constants_(constants) {}

  HWY_INLINE MI Decide(VI sum, VI mark_above, VI (&own)[kOwn], VI& e) {
    const DI d;
    const VI nearest = hn::Set(d, kNearest);
    const MI grows_down = hn::Lt(mark_above, nearest);
    const VI distance =
        hn::Min(hn::Max(hn::Min(mark_above, own[0]), nearest),
                hn::Set(d, static_cast<int16_t>(kDistance * kClusterFar)));
    const MI grows =
        hn::And(hn::Or(grows_down, hn::Ne(own[2], hn::Zero(d))), IsTinted());
    const VI shift = hn::IfThenElse(grows, hn::Set(d, kClusterGrowth),
                                    Shift(distance, kClusterMaxShift));
    [[maybe_unused]] MI pure;
    if constexpr (is_pure) {
      // As in fine-inl.h.
      pure = IsPureValue(value());
      sum = hn::IfThenZeroElse(pure, sum);
    }
    const VI s = hn::Add(value(), sum);
    const MI is_light = BlackIsRare(grows, grows_down, mark_above, own);
    const MI is_white = hn::Gt(s, Threshold(shift, is_light));
    e = ErrorOf(s, is_white);
    before_ = own[1];
    own[1] = own[0];
    const MI is_rare = hn::Xor(is_white, is_light);
    const VI to_come = hn::IfThenZeroElse(grows_down, ToCome(hn::Abs(own[2])));
    const VI of_black = hn::IfThenElse(hn::Eq(to_come, hn::Zero(d)),
                                       hn::Set(d, constants_.last_column),
                                       hn::Set(d, constants_.column));
    const VI first_row =
        hn::Add(of_black, hn::IfThenElseZero(is_white, hn::Set(d, kDistance)));
    const VI dot =
        hn::Min(hn::IfThenElse(grows_down,
                               hn::Add(mark_above, hn::Set(d, 2 * kDistance)),
                               first_row),
                nearest);
    own[0] = hn::IfThenElse(is_rare, dot, hn::Add(distance, nearest));
    own[2] = hn::IfThenElseZero(
        is_rare, hn::IfThenElse(is_white, to_come, hn::Neg(to_come)));
    if constexpr (is_pure) {
      own[0] = hn::IfThenElse(pure, hn::Set(d, kFar), own[0]);
      own[2] = hn::IfThenZeroElse(pure, own[2]);
    }
    return is_white;
  }

  // The number for the row below, from the columns around the one before.
  // Growth of a cluster concerns the column itself only.
  HWY_INLINE VI Mark(const VI (&own)[kOwn]) const {
    const DI d;
    const VI beside = hn::Max(hn::Min(own[0], before_), hn::Set(d, kNearest));
    constexpr int16_t kAcross = kDistance * (kClusterAcross - kClusterNear);
    return hn::Min(own[1], hn::Add(beside, hn::Set(d, kAcross)));
  }

 private:
  // The color of a new cluster, or of the one that grows.
  HWY_INLINE MI BlackIsRare(MI grows, MI grows_down, VI mark_above,
                            VI (&own)[kOwn]) const {
    const DI d;
    const VI noise = hn::ShiftLeft<3>(
        hn::MulFixedPoint15(own[kNoiseOwn], hn::Set(d, kClusterNoise)));
    static_assert(kNoiseStep == 8);
    own[kNoiseOwn] =
        hn::Mul(own[kNoiseOwn], hn::Set(d, static_cast<int16_t>(kNoiseFactor)));
    // Each is below 0 for black.
    const VI of_new =
        hn::Sub(hn::Set(d, kWhite / 2 - 1), hn::Add(value(), noise));
    const VI above =
        hn::Sub(hn::And(mark_above, hn::Set(d, kDistance)), hn::Set(d, 1));
    const VI of_grown = hn::IfThenElse(grows_down, above, own[2]);
    return hn::Lt(hn::IfThenElse(grows, of_grown, of_new), hn::Zero(d));
  }

  HWY_INLINE Clustered(const Constants& constants, const ToneNumbers& of)
      : ByTone(of), constants_(constants) {}

  // One less; after the last column, the columns of a new cluster less one.
  HWY_INLINE VI ToCome(VI columns_to_come) const {
    const DI d;
    const D16 du;
    const VI one = hn::Set(d, 1);
    const V16 less = hn::BitCast(du, hn::Sub(columns_to_come, one));
    const VI begun = hn::Sub(hn::Set(d, constants_.columns), one);
    return hn::BitCast(d, hn::Min(less, hn::BitCast(du, begun)));
  }

  const Constants& constants_;
  VI before_;
};

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_CLUSTERED_INL_H_
