// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core of recipes that spread errors in 256ths (error_sums.h): 64 steps of
// a strip, lanes as in core-inl.h, every row four columns behind the one above
// it. All numbers are signed 16-bit, for which error_sums.h has the proof, and
// p = (w e + 128) >> 8 is one instruction, a rounding product of e and 128 w.
// The classic kernels also use this core, but spread errors differently
// (classic-inl.h).
//
// A pixel gives parts of its error to three or four pixels of the row below.
// The sum for each of those is passed from step to step, in the lane above it,
// until it is complete two columns later:
//
//   sum(x - 2) = first + p_DLL,   first = second + p_DL,
//   second = p_D + (p_DR of the step before)
//
// then it moves down a lane and waits two steps for the row there to arrive. A
// method decides pixels and hands a second number down, which has a lead of
// kLead columns and waits 4 - kLead steps.
//
// Time of versions of `fine`, in units of Floyd–Steinberg's on the same busy
// Sapphire Rapids core (AVX-512), for a page of noise, A4 at 600 dpi:
//
//   rows of the table found and looked up for one column at a time    4.0
//   for two columns together, by bytes                                3.6
//   few and fixed places for data moved between steps                 3.3
//
// For two thirds of that time, the steps' own instructions saturate two vector
// ports.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SPREAD_SPREAD_CORE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_SPREAD_CORE_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_SPREAD_CORE_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SPREAD_SPREAD_CORE_INL_H_
#endif

#include <algorithm>
#include <new>
#include <type_traits>
#include <utility>

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/spread/decisions-inl.h"
#include "halftone/cpu/simd/spread/fine_rows-inl.h"
#include "halftone/cpu/simd/vectors/block-inl.h"
#include "halftone/page/error_sums.h"
#include "halftone/page/recipe.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

constexpr int kSumLead = 2;
constexpr int kSumWait = kSpreadSkew - kSumLead;
static_assert(kTurnSteps % kSpreadSkew == 0);

// Whether a step loops over its vectors. Four steps of four vectors that look
// up tables would take 16 to 30 KB, most of the first-level cache: `fine` took
// 1.13 times as long on a Zen 5 EPYC, and 2.8 times with 16 levels.
template <class Method>
constexpr bool kLoopsOverVectors =
    ((HWY_TARGET == HWY_SSSE3) && Method::kHasTables) || HWY_TARGET == HWY_WASM;

// Whether a method reads its pixels itself, column by column.
template <class Method, Pixels pixels>
constexpr bool kReadsFeed =
    pixels == Pixels::kRecords || Method::kBits > 1 || requires {
  Method::kReadsFeed;
};

// Whether a method makes noise, which depends on a pixel's row on the page.
template <class Method>
constexpr bool kHasNoise = requires {
  Method::kNoiseOwn;
};

// Whether runs along a row have a minimum length.
template <class Method>
constexpr bool kHasRuns = requires {
  &Method::SetRuns;
};

// Whether a method spreads errors to the neighbors itself. If so, its own
// numbers are not reset at the start of a row.
template <class Method>
constexpr bool kSpreadsItself = requires {
  Method::kSpreadsItself;
};

template <class Method, Pixels pixels>
struct SpreadState {
  alignas(64) int16_t right[kVectors][kLanes];
  alignas(64) int16_t first[kVectors][kLanes];
  alignas(64) int16_t second[kVectors][kLanes];
  alignas(64) int16_t down_right[kVectors][kLanes];
  alignas(64) int16_t sums[kSumWait][kVectors][kLanes];
  alignas(64) int16_t marks[kSpreadSkew][kVectors][kLanes];
  alignas(64) int16_t own[Method::kOwn][kVectors][kLanes];
  alignas(64) uint16_t gathered[kVectors][kLanes];
  typename Method::Constants constants;
  PixelsToBits<pixels, Method::kBits> pixels_to_bits;
};

template <class Method>
struct SpreadRegisters {
  VI right[kVectors];  // for the next column
  VI first[kVectors];  // see above
  VI second[kVectors];
  VI down_right[kVectors];          // of the step before
  VI sums[kSumWait][kVectors];      // a ring: waiting for the row below
  VI marks[kSpreadSkew][kVectors];  // a ring of the second number
  VI own[Method::kOwn][kVectors];   // of the method
  // The method's data of the current pair of columns.
  typename Method::Pair pairs[kVectors];
  V16 gathered[kVectors];
  Followers followers;

  template <class State, class Each>
  HWY_INLINE void ForEach(State& w, const Each& each) {
    HALFTONED_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      each(right[v], w.right[v]);
      each(first[v], w.first[v]);
      each(second[v], w.second[v]);
      each(down_right[v], w.down_right[v]);
      HALFTONED_UNROLL
      for (int i = 0; i < kSumWait; ++i) each(sums[i][v], w.sums[i][v]);
      HALFTONED_UNROLL
      for (int i = 0; i < kSpreadSkew; ++i) each(marks[i][v], w.marks[i][v]);
      HALFTONED_UNROLL
      for (int i = 0; i < Method::kOwn; ++i) each(own[i][v], w.own[i][v]);
    }
  }
};

// BlockIo from a turn's first step on.
struct StepsIo {
  const uint8_t* feed;  // of vector 0
  const uint16_t* above[kMaxPlanes];
  uint16_t* below[kMaxPlanes];
  uint16_t* lowest;
  const uint32_t* outside;
  const uint32_t* begins;
  const uint32_t* ends;
  const uint16_t* noise;
  uint16_t* states[kMaxPlanes];
  size_t ring_step;
};

// The method's data of columns i and i + 1 of a feed.
template <class Method, Pixels pixels, int i>
HWY_INLINE typename Method::Pair PairOf(
    const uint8_t* feed, const typename Method::Constants& constants) {
  if constexpr (std::is_empty_v<typename Method::Pair>) {
    return {};
  } else {
    return {constants.tables(),
            FineTonesOf(Fetch<pixels, i>(feed), Fetch<pixels, i + 1>(feed))};
  }
}

// Where in a feed a column begins that is even.
template <Pixels pixels>
constexpr size_t FeedBytesOf(size_t column) {
  return (FeedsBytes(pixels) ? column / 2 : column) * kVectorBytes;
}

// The method for column i of a feed; `pair` is kept for column i + 1.
template <class Method, Pixels pixels, int i>
HWY_INLINE Method MethodOf(const typename Method::Constants& constants,
                           const uint8_t* feed,
                           [[maybe_unused]] typename Method::Pair& pair) {
  if constexpr (kReadsFeed<Method, pixels>) {
    return Method::template OfColumn<i>(constants, feed, pair);
  } else {
    if constexpr (i % 2 == 0) {
      pair = PairOf<Method, pixels, i>(feed, constants);
    }
    const V16 scaled = Fetch<pixels, i>(feed);
    return Method(constants, pair, hn::BitCast(DI(), hn::ShiftRight<4>(scaled)),
                  std::bool_constant<i % 2 == 1>());
  }
}

// Spreads the error `e` of vector `v`; returns the completed sum.
template <class Method>
HWY_INLINE VI Spread(const Method& method, VI e, VI (&own)[Method::kOwn],
                     SpreadRegisters<Method>& r, int v) {
  if constexpr (kSpreadsItself<Method>) {
    return method.Spread(e, own, r.right[v]);
  } else {
    const VI right = hn::MulFixedPoint15(e, method.right());
    const VI down_right = hn::MulFixedPoint15(e, method.down_right());
    const VI down_left = hn::MulFixedPoint15(e, method.down_left());
    VI down = hn::Sub(hn::Sub(e, right), hn::Add(down_right, down_left));
    VI sum = r.first[v];
    if constexpr (Method::kReachesTwoLeft) {
      const VI down_left_left = hn::MulFixedPoint15(e, method.down_left_left());
      down = hn::Sub(down, down_left_left);
      sum = hn::Add(sum, down_left_left);
    }
    r.right[v] = right;
    r.first[v] = hn::Add(r.second[v], down_left);
    r.second[v] = hn::Add(down, r.down_right[v]);
    r.down_right[v] = down_right;
    return sum;
  }
}

template <class Method, Pixels pixels, Where where, int i>
HWY_INLINE void SpreadVector(SpreadRegisters<Method>& r, int v, VI sum_above,
                             VI mark_above, RingOfBits<Method::kBits>& ring,
                             const typename Method::Constants& constants,
                             const StepsIo& io) {
  const DI d;
  const D16 du;
  const uint8_t* const feed = io.feed + v * kFeedBytes;
  Method method = MethodOf<Method, pixels, i>(constants, feed, r.pairs[v]);
  VI own[Method::kOwn];
  HALFTONED_UNROLL
  for (int k = 0; k < Method::kOwn; ++k) own[k] = r.own[k][v];
  [[maybe_unused]] const auto lanes =
      [&](const uint32_t* marks) HALFTONED_ATTR {
        return LoadBits(
            d, reinterpret_cast<const uint8_t*>(&marks[i * kVectors + v]));
      };
  if constexpr (where == Where::kEdge && kHasNoise<Method>) {
    const V16 first = hn::Load(du, io.noise + v * kLanes);
    own[Method::kNoiseOwn] = hn::IfThenElse(
        lanes(io.begins), hn::BitCast(d, first), own[Method::kNoiseOwn]);
  }
  if constexpr (where == Where::kEdge && kHasRuns<Method>) {
    method.SetRuns(lanes(io.begins), lanes(io.ends), own);
  }
  VI e;
  const MI is_white =
      method.Decide(hn::Add(sum_above, r.right[v]), mark_above, own, e);
  PutDecision(method, is_white, constants, ring, v, io.ring_step + i,
              r.gathered[v]);
  if constexpr (where == Where::kEdge) {
    const MI outside = lanes(io.outside);
    e = hn::IfThenZeroElse(outside, e);
    // The second number belongs to the column before and is handed down now.
    constexpr int begun = kSpreadsItself<Method> ? 0 : Method::kOwn;
    HALFTONED_UNROLL
    for (int k = 0; k < begun; k += 2) {
      own[k] = hn::IfThenElse(outside, hn::Set(d, Method::kOutside[k]), own[k]);
    }
  }
  VI sum = Spread(method, e, own, r, v);
  sum = hn::Max(hn::Min(sum, hn::Set(d, kMaxErrorSum)),
                hn::Set(d, -kMaxErrorSum));
  r.sums[i % kSumWait][v] = sum;
  r.marks[i % kSpreadSkew][v] = method.Mark(own);
  if (where == Where::kEdge && io.states[0]) {
    const size_t at = static_cast<size_t>(i * kVectors + v) * kLanes;
    hn::Store(hn::BitCast(du, sum), du, io.states[0] + at);
    hn::Store(hn::BitCast(du, own[0]), du, io.states[1] + at);
  }
  if (v == kVectors - 1) {
    StoreLowest(hn::BitCast(du, sum), io.below[0] + i);
    StoreLowest(hn::BitCast(du, r.marks[i % kSpreadSkew][v]), io.below[1] + i);
    StoreLowest(hn::BitCast(du, own[0]), io.lowest + i);
  }
  HALFTONED_UNROLL
  for (int k = 0; k < Method::kOwn; ++k) r.own[k][v] = own[k];
}

// From the lowest vector up, so that each reads the numbers of the one above
// before those are overwritten.
template <class Method, Pixels pixels, Where where, int i, int... up>
HWY_INLINE void SpreadStep(SpreadRegisters<Method>& r,
                           RingOfBits<Method::kBits>& ring,
                           const typename Method::Constants& constants,
                           const StepsIo& io,
                           std::integer_sequence<int, up...>) {
  const DI d;
  const D16 du;
  constexpr int last = kVectors - 1;
  auto& sums = r.sums[i % kSumWait];
  auto& marks = r.marks[(i + Method::kLead) % kSpreadSkew];
  const VI top_sum = hn::BitCast(
      d, ShiftDown(hn::BitCast(du, sums[last]), io.above[0] + i, r.followers));
  const VI top_mark = hn::BitCast(
      d, ShiftDown(hn::BitCast(du, marks[last]), io.above[1] + i, r.followers));
  const auto vector = [&](int v) HALFTONED_ATTR __attribute__((always_inline)) {
    SpreadVector<Method, pixels, where, i>(
        r, v, v == 0 ? top_sum : sums[v == 0 ? 0 : v - 1],
        v == 0 ? top_mark : marks[v == 0 ? 0 : v - 1], ring, constants, io);
  };
  if constexpr (kLoopsOverVectors<Method>) {
    HALFTONED_NO_UNROLL
    for (int v = last; v >= 0; --v) vector(v);
  } else {
    (vector(last - up), ...);
  }
}

template <class Method, Pixels pixels, Where where, int... i>
HWY_INLINE void SpreadSteps(SpreadRegisters<Method>& r,
                            RingOfBits<Method::kBits>& ring,
                            const typename Method::Constants& constants,
                            const StepsIo& io,
                            std::integer_sequence<int, i...>) {
  (SpreadStep<Method, pixels, where, i>(
       r, ring, constants, io, std::make_integer_sequence<int, kVectors>()),
   ...);
}

template <class Method, Pixels pixels, Where where>
HWY_NOINLINE void RunSpreadBlock(SpreadState<Method, pixels>& w,
                                 const BlockIo& io) {
  const DI d;
  SpreadRegisters<Method> r;
  r.followers.Hide();
  r.ForEach(w, [d](VI& in, const int16_t* at)
                   HALFTONED_ATTR { in = hn::Load(d, at); });
  HALFTONED_UNROLL
  for (int v = 0; v < kVectors; ++v)
    r.gathered[v] = hn::Load(D16(), w.gathered[v]);
  for (size_t step = 0; step < kBlock; step += kTurnSteps) {
    const size_t chunk = step / kChunk;
    const size_t in_chunk = step % kChunk;
    const size_t states = step * kSlots;
    const StepsIo steps = {
        .feed = w.pixels_to_bits.feed(chunk, 0) + FeedBytesOf<pixels>(in_chunk),
        .above = {io.above[0] + step, io.above[1] + step},
        .below = {io.below[0] + step, io.below[1] + step},
        .lowest = io.lowest + step,
        .outside = io.outside + step * kVectors,
        .begins = io.begins + step * kVectors,
        .ends = io.ends + step * kVectors,
        .noise = io.noise,
        .states = {io.states[0] ? io.states[0] + states : nullptr,
                   io.states[1] ? io.states[1] + states : nullptr},
        .ring_step = kBlock * static_cast<size_t>(io.parity) + step,
    };
    SpreadSteps<Method, pixels, where>(
        r, w.pixels_to_bits.ring(), w.constants, steps,
        std::make_integer_sequence<int, kTurnSteps>());
    PutGroup(w.pixels_to_bits.ring(), steps.ring_step, r.gathered);
    w.pixels_to_bits.Move(io, chunk, in_chunk / kTurnSteps);
  }
  r.ForEach(w,
            [d](VI& in, int16_t* at) HALFTONED_ATTR { hn::Store(in, d, at); });
  HALFTONED_UNROLL
  for (int v = 0; v < kVectors; ++v)
    hn::Store(r.gathered[v], D16(), w.gathered[v]);
}

template <class Method, Pixels pixels>
void SpreadBegin(void* state, const PageKind& kind) {
  auto& w = *new (state) SpreadState<Method, pixels>();
  for (int k = 0; k < Method::kOwn; ++k) {
    std::fill_n(w.own[k][0], kSlots, Method::kOutside[k]);
  }
  std::fill_n(w.marks[0][0], kSpreadSkew * kSlots, Method::kOutside[0]);
  w.constants = typename Method::Constants(kind);
  w.pixels_to_bits.Begin(kind);
}

template <class Method, Pixels pixels>
void SpreadStage(void* state, const BlockIo& io) {
  static_cast<SpreadState<Method, pixels>*>(state)->pixels_to_bits.Stage(io);
}

template <class Method, Pixels pixels>
void SpreadRun(void* state, const BlockIo& io, Where where) {
  auto& w = *static_cast<SpreadState<Method, pixels>*>(state);
  if (where == Where::kInside) {
    RunSpreadBlock<Method, pixels, Where::kInside>(w, io);
  } else {
    RunSpreadBlock<Method, pixels, Where::kEdge>(w, io);
  }
}

template <class Method, Pixels pixels>
void SpreadEmit(void* state, const BlockIo& io) {
  static_cast<SpreadState<Method, pixels>*>(state)->pixels_to_bits.Emit(io);
}

template <class Method, Pixels pixels>
Core MakeSpreadCore() {
  return {.state_bytes = sizeof(SpreadState<Method, pixels>),
          .lane_skew = kSpreadSkew * kVectors,
          .last_is_ahead = false,
          .has_noise = kHasNoise<Method>,
          .begin = SpreadBegin<Method, pixels>,
          .stage = SpreadStage<Method, pixels>,
          .run = SpreadRun<Method, pixels>,
          .emit = SpreadEmit<Method, pixels>};
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_SPREAD_CORE_INL_H_
