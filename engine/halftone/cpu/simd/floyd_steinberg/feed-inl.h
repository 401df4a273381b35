// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The feed of a vector (pixels-inl.h), in one go or in parts that are spread
// between the steps.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_FEED_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_FEED_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_FEED_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_FEED_INL_H_
#endif

#include <utility>

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/vectors/pixels-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

using FeedFunction = void (*)(const uint8_t* piece, const CurveTables* curve,
                              uint8_t* feed);

template <Pixels pixels>
HWY_NOINLINE void FeedAny(const uint8_t* piece, const CurveTables* curve,
                          uint8_t* feed) {
  Feed<pixels, true>(piece, curve, feed);
}

template <Pixels pixels>
HWY_INLINE void FeedVector(FeedFunction feed_any, const uint8_t* piece,
                           const CurveTables* curve, uint8_t* feed) {
  if constexpr (IsAny(pixels)) {
    feed_any(piece, curve, feed);
  } else if constexpr (pixels == Pixels::kCurvedBytes) {
    // The code of lookups between the steps would not fit the first-level
    // cache.
    FeedAny<pixels>(piece, curve, feed);
  } else {
    Feed<pixels, false>(piece, curve, feed);
  }
}

// Whether the parts of a feed are spread between the steps. Shuffles and
// lookups in one go fill the scheduler, and the steps wait. Where vectors are
// halves, storing intermediate results costs more than that.
template <Pixels pixels>
constexpr bool kSpreadFeed = kLanes == 32 && BytesOf(pixels) == 1;

// The parts numbered from `first` on, as many as `part` has.
template <Pixels pixels, int first, int... part>
HWY_INLINE void BeginNext(const uint8_t* stage, uint8_t* halfway,
                          std::integer_sequence<int, part...>) {
  (BeginFeed<pixels, first + part>(stage, halfway), ...);
}

// All parts of the first vector.
template <Pixels pixels>
HWY_INLINE void BeginFirst(const uint8_t* stage, uint8_t* halfway) {
  if constexpr (kSpreadFeed<pixels>) {
    BeginNext<pixels, 0>(stage, halfway,
                         std::make_integer_sequence<int, kBegins<pixels>>());
  }
}

template <Pixels pixels, int first, int... part>
HWY_INLINE void EndNext(const uint8_t* halfway, const CurveTables* curve,
                        uint8_t* feed, std::integer_sequence<int, part...>) {
  (EndFeed<pixels, false, first + part>(halfway, curve, feed), ...);
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_FEED_INL_H_
