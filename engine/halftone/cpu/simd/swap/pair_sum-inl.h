// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of products of pairs.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SWAP_PAIR_SUM_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SWAP_PAIR_SUM_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SWAP_PAIR_SUM_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SWAP_PAIR_SUM_INL_H_
#endif

#include <cstdint>

#include "halftone/cpu/simd/vectors/lanes-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// D: the tag of the terms, which are 16-bit numbers.
template <class D>
class PairSumOf {
 public:
  using Wide = hn::RepartitionToWide<D>;

  PairSumOf() : sum_(hn::Zero(Wide())), other_(hn::Zero(Wide())) {}

  HWY_INLINE void Add(hn::Vec<D> terms, int32_t weights) {
    sum_ = hn::ReorderWidenMulAccumulate(
        Wide(), terms, hn::BitCast(D(), hn::Set(Wide(), weights)), sum_,
        other_);
  }
  HWY_INLINE hn::Vec<Wide> Total() const {
    return hn::RearrangeToOddPlusEven(sum_, other_);
  }

 private:
  hn::Vec<Wide> sum_;
  hn::Vec<Wide> other_;
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SWAP_PAIR_SUM_INL_H_
