// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core: 64 steps of one strip, kVectors × kLanes rows. Row 4 k + v of the
// strip is in lane kLanes - 1 - k of vector v. In each step every row advances
// by one column, kSkew columns behind the row above it.
//
// Each vector carries three numbers per row from step to step, all of them sums
// of f = e + kBias ≥ 0:
//
//   f      of the column just decided                     0 … 4079
//   sum    f + the f before it                            0 … 8158
//   below  3 f + 5 f' + f'' for the row below             0 … 36711
//
// Because the weights add up to 16, bias and rounding cancel:
//
//   7 f + below = 7 e + … + 16 kBias             ≤ 16 · 4079 = 65264
//   x = (16 v + 7 + 7 f + below + 1) >> 4 = s + kBias,   0 … 8159
//
// and avg_u16(a, b) = (a + b + 1) >> 1 adds the two without losing the
// seventeenth bit. No step of this overflows 16 bits or needs a sign.
//
// The limit is the number of instructions on the vector ports. So copies that
// do not need those ports are spread between the steps: the next block's pixels
// to the stage, the last block's bits to their rows. So are the transposes,
// which are all shuffles, while the steps have few.
//
// Cycles per 128 pixels of each version, for a page of noise, A4 at 600 dpi, on
// a Sapphire Rapids Xeon at 3.5 GHz (AVX-512, AVX2):
//
// clang-format off
//   four vectors a strip; transposes before each chunk            65   86
//   rows fetched into the second cache, not the first             60
//   AVX-512 with 64 rows a strip, so that rows, stage and bits
//     fit the first cache: two vectors, a row four steps behind   55
//   the error by a minimum, not by the comparison's mask          53   76
//   transposes between the steps                                  50
//   pixels between strips copied once a strip (wave.h)            48   66
//   bits in runs where rows collide in the cache (wave.h), for
//     16384 columns: 70 before                                    49
//   the feed spread between the steps and between a step's vectors, a curve looked
//     up a quarter at a time: 3 % less, 10 % with a curve
//   errors stored only in the last strip: 1 % less
// clang-format on
//
// With AVX-512 the steps alone take 31 of these; the ports' limit is 27.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_CORE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_CORE_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_CORE_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_CORE_INL_H_
#endif

#include <utility>

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/floyd_steinberg/feed-inl.h"
#include "halftone/cpu/simd/vectors/bits-inl.h"
#include "halftone/cpu/simd/vectors/pixels-inl.h"
#include "halftone/cpu/simd/vectors/quantize-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// Rows that a chunk moves, all in one vector.
constexpr int kMoved = kSlots / kChunks;
static_assert(kLanes % kMoved == 0 && kMoved % 8 == 0);

// The state that is kept from block to block.
template <Pixels pixels, int levels>
struct State {
  alignas(64) uint16_t f[kVectors][kLanes];
  alignas(64) uint16_t sum[kVectors][kLanes];
  alignas(64) uint16_t below[kSkew][kVectors][kLanes];
  alignas(64) uint16_t gathered[kVectors][kLanes];
  // A ring of the chunks of two blocks; see ChunkStage.
  alignas(64) uint8_t stage[2 * kChunks * BytesOf(pixels) * kPieceBytes];
  alignas(64) uint8_t halfway[2][BytesOf(pixels) * kHalfwayBytes];
  alignas(64) uint8_t feed[2][kVectors][kFeedBytes];
  Ring<levels> ring;
  Window<kSampleBits<levels>> window;
  // For kAny:
  FeedFunction feed_any;
  int pixel_bytes;
};

// Bytes of a pixel.
template <Pixels pixels, int levels>
HWY_INLINE int PixelBytes(const State<pixels, levels>& w) {
  return IsAny(pixels) ? w.pixel_bytes : BytesOf(pixels);
}

// Where in the stage the pixels of a block of this parity are put.
template <Pixels pixels, int levels>
HWY_INLINE uint8_t* BlockStage(State<pixels, levels>& w, int parity) {
  return w.stage + parity * kChunks * PixelBytes(w) * kPieceBytes;
}

// Where in the stage the pixels of vector `v` are for the chunk at this place
// of the ring. The last vector's rows arrive with the last chunk of the block
// before, too late to be fed in that chunk, so they are one chunk ahead of the
// others.
template <Pixels pixels, int levels>
HWY_INLINE const uint8_t* ChunkStage(const State<pixels, levels>& w, int chunk,
                                     int v) {
  const int place = v < kVectors - 1 ? chunk : chunk + 2 * kChunks - 1;
  return w.stage + place % (2 * kChunks) * PixelBytes(w) * kPieceBytes +
         v * 8 * kVectorBytes;
}

// Steps of a chunk after which the code repeats. Code for any pixels is large
// and seldom runs, so it is a loop, which compiles in a third of the time.
template <Pixels pixels>
constexpr int kUnrolled = IsAny(pixels) ? 4 : kChunk;
static_assert(4 % kSkew == 0);

struct Registers {
  V16 f[kVectors];
  V16 sum[kVectors];
  V16 below[kSkew][kVectors];  // a ring of the last steps
  V16 gathered[kVectors];
  Followers followers;
};

// BlockIo from a chunk's first step on. It is a local copy, which stores cannot
// alias: reloading pointers and computing addresses would take vector ports.
struct ChunkIo {
  const uint8_t* feed;
  uint8_t* next_feed;  // of the chunk after this one
  // The pixels of every vector but the last, and those of the last:
  const uint8_t* next_stage;
  const uint8_t* next_stage_of_last;
  const uint8_t* after_next_stage;  // of the first vector, one chunk on
  uint8_t* halfway;
  FeedFunction feed_any;
  const CurveTables* curve;
  int pixel_bytes;
  const uint8_t* const* gray;  // of the rows that this chunk moves
  size_t gray_offset;
  uint8_t* stage;
  const uint8_t* window;
  uint8_t* const* bits;
  size_t bits_offset;
  const uint8_t* const* gray_ahead;
  uint8_t* const* bits_ahead;
  const uint16_t* above;
  uint16_t* below;
  const uint32_t* outside;
  uint16_t* errors;
  int ring_step;
};

// Below, step `i` is counted from step `from` of a chunk.
template <Pixels pixels, int levels, Where where, int v, int i>
HWY_INLINE void StepVector(Registers& r, V16 above, Ring<levels>& ring,
                           const ChunkIo& io, int from) {
  const D16 d;
  const V16 seven_f = hn::Mul(r.f[v], hn::Set(d, 7));
  // Where `from` is not 0 a feed has words.
  const V16 pixel =
      Fetch<pixels, i>(io.feed + v * kFeedBytes + from * kVectorBytes);
  V16 x = hn::ShiftRight<3>(hn::AverageRound(hn::Add(seven_f, above), pixel));
  if constexpr (pixels == Pixels::kAnyPure) {
    const auto keep = [&](int value) HALFTONED_ATTR {
      x = hn::IfThenElse(hn::Eq(pixel, hn::Set(d, 16 * value + 7)),
                         hn::Set(d, value + kBias), x);
    };
    keep(0);
    keep(kWhite);
  }
  V16 f = Quantize<levels, v>(x, ring, io.ring_step, from + i, r.gathered[v]);
  if constexpr (where == Where::kEdge) {
    const auto* bits = reinterpret_cast<const uint8_t*>(
        &io.outside[(from + i) * kVectors + v]);
    f = hn::IfThenElse(LoadBits(d, bits), hn::Set(d, kBias), f);
    if (io.errors) {
      hn::Store(f, d, io.errors + ((from + i) * kVectors + v) * kLanes);
    }
  }
  // 3 f + 5 f' + f'' = 4 (f + f') + (f' + f'') - f.
  const V16 rest = hn::Sub(r.sum[v], f);
  r.sum[v] = hn::Add(f, r.f[v]);
  r.f[v] = f;
  r.below[i % kSkew][v] = hn::Add(hn::ShiftLeft<2>(r.sum[v]), rest);
}

// A part of the step's share of the runs to prefetch.
template <Pixels pixels>
HWY_INLINE void FetchAhead(const ChunkIo& io, int step) {
  constexpr int kRuns = kSlots / kTurns / kChunks;  // of a chunk: 4, 2 or 1
  constexpr int kRunBytes = kTurns * kBlock * BytesOf(pixels);
  constexpr int kStepBytes = kRunBytes * kRuns / kChunk;
  const int run = step * kRuns / kChunk;
  const int at = step * kStepBytes % kRunBytes;
  HALFTONED_UNROLL
  for (int line = 0; line < kStepBytes; line += 64) {
    __builtin_prefetch(io.gray_ahead[run] + at + line, 0, 2);
  }
  if (at == 0) __builtin_prefetch(io.bits_ahead[run], 1);
}

// The step's share of the next chunk's feed. Vectors follow one another; each
// begins while the one before ends.
template <Pixels pixels, int i>
HWY_INLINE void FeedNext(const ChunkIo& io, int from) {
  constexpr int kTurn = kChunk / kVectors;
  const auto stage_of = [&io](int vector) {
    return vector < kVectors - 1 ? io.next_stage + vector * 8 * kVectorBytes
                                 : io.next_stage_of_last;
  };
  if constexpr (!kSpreadFeed<pixels>) {
    const int v = (from + i) / kTurn;
    if ((from + i) % kTurn == 1) {
      FeedVector<pixels>(io.feed_any, stage_of(v), io.curve,
                         io.next_feed + v * kFeedBytes);
    }
  } else {
    static_assert(kUnrolled<pixels> == kChunk);
    constexpr int v = i / kTurn;
    constexpr int j = i % kTurn;
    uint8_t* const feed = io.next_feed + v * kFeedBytes;
    constexpr size_t kBytes = BytesOf(pixels) * kHalfwayBytes;
    constexpr int kEndsOfStep = kEnds<pixels> / kTurn;
    BeginNext<pixels, j * kBegins<pixels> / kTurn>(
        v + 1 < kVectors ? stage_of(v + 1) : io.after_next_stage,
        io.halfway + (v + 1) % 2 * kBytes,
        std::make_integer_sequence<int, (j + 1) * kBegins<pixels> / kTurn -
                                            j * kBegins<pixels> / kTurn>());
    EndNext<pixels, j * kEndsOfStep>(
        io.halfway + v % 2 * kBytes, io.curve, feed,
        std::make_integer_sequence<int, kEndsOfStep>());
  }
}

template <Pixels pixels, int levels, Where where, int i, int... v>
HWY_INLINE void StepVectors(Registers& r, const V16 (&above)[kVectors],
                            Ring<levels>& ring, const ChunkIo& io, int from,
                            std::integer_sequence<int, v...>) {
  // The feed is between the vectors for the reason given at the spreading
  // above.
  ((StepVector<pixels, levels, where, v, i>(r, above[v], ring, io, from),
    v == kVectors / 2 - 1 ? FeedNext<pixels, i>(io, from) : void()),
   ...);
}

template <Pixels pixels, int levels, Where where, int i>
HWY_INLINE void Step(Registers& r, Ring<levels>& ring, const ChunkIo& io,
                     int from) {
  const int step = from + i;
  // The sum from the row above for this row's column.
  const auto& from_above = r.below[(i + 1) % kSkew];
  V16 above[kVectors];
  above[0] = ShiftDown(from_above[kVectors - 1], io.above + step, r.followers);
  HALFTONED_UNROLL
  for (int v = 1; v < kVectors; ++v) above[v] = from_above[v - 1];
  StepVectors<pixels, levels, where, i>(
      r, above, ring, io, from, std::make_integer_sequence<int, kVectors>());
  StoreLowest(r.below[i % kSkew][kVectors - 1], io.below + step);

  static_assert(kUnrolled<pixels> * kMoved % kChunk == 0);
  const int first_row = from * kMoved / kChunk;
  HALFTONED_UNROLL
  for (int j = i * kMoved / kChunk; j < (i + 1) * kMoved / kChunk; ++j) {
    const int row = first_row + j;
    StageRow(io.gray[row] + io.gray_offset,
             IsAny(pixels) ? io.pixel_bytes : BytesOf(pixels), io.stage, row);
    uint8_t* to = io.bits[row] + io.bits_offset;
    HALFTONED_UNROLL
    for (int h = 0; h < kSampleBits<levels>; ++h) {
      std::memcpy(to + 8 * h, io.window + Window<1>::At(h, row), 8);
    }
  }
  FetchAhead<pixels>(io, step);
}

template <Pixels pixels, int levels, Where where, int... i>
HWY_INLINE void Steps(Registers& r, Ring<levels>& ring, const ChunkIo& io,
                      int from, std::integer_sequence<int, i...>) {
  (Step<pixels, levels, where, i>(r, ring, io, from), ...);
}

// The ring step, before its vectors' skew, at which the window of the block of
// this parity begins.
constexpr int WindowBegin(int parity) {
  return (kBlock * parity + kRingSteps - kBlock - kWindowLag) % kRingSteps;
}

template <Pixels pixels, int levels, Where where>
HWY_NOINLINE void RunBlock(State<pixels, levels>& w, const BlockIo& io) {
  const D16 d;
  Registers r;
  r.followers.Hide();
  HALFTONED_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    r.f[v] = hn::Load(d, w.f[v]);
    r.sum[v] = hn::Load(d, w.sum[v]);
    HALFTONED_UNROLL
    for (int s = 0; s < kSkew; ++s) r.below[s][v] = hn::Load(d, w.below[s][v]);
    r.gathered[v] = hn::Load(d, w.gathered[v]);
  }
  for (int c = 0; c < kChunks; ++c) {
    const int v = c * kMoved / kLanes;
    const int lane = c * kMoved % kLanes;
    constexpr int kRuns = kSlots / kTurns / kChunks;
    const ChunkIo chunk = {
        .feed = w.feed[c % 2][0],
        .next_feed = w.feed[(c + 1) % 2][0],
        .next_stage = ChunkStage(w, kChunks * io.parity + c + 1, 0),
        .next_stage_of_last =
            ChunkStage(w, kChunks * io.parity + c + 1, kVectors - 1),
        .after_next_stage = ChunkStage(w, kChunks * io.parity + c + 2, 0),
        .halfway = w.halfway[0],
        .feed_any = w.feed_any,
        .curve = io.curve,
        .pixel_bytes = PixelBytes(w),
        .gray = io.gray + c * kMoved,
        .gray_offset = io.gray_offset,
        .stage =
            BlockStage(w, io.parity ^ 1) + v * 8 * kVectorBytes + lane / 8 * 16,
        .window = w.window.bytes() + lane / 8 * 16,
        .bits = io.bits + c * kMoved,
        .bits_offset = io.bits_offset,
        .gray_ahead = io.gray_ahead + c * kRuns,
        .bits_ahead = io.bits_ahead + c * kRuns,
        .above = io.above[0] + kChunk * c,
        .below = io.below[0] + kChunk * c,
        .outside = io.outside + kChunk * c * kVectors,
        .errors = io.states[0] ? io.states[0] + kChunk * c * kSlots : nullptr,
        .ring_step = kBlock * io.parity + kChunk * c,
    };
    if (lane == 0) MakeWindow(w.ring, v, WindowBegin(io.parity), w.window);
    HALFTONED_NO_UNROLL
    for (int from = 0; from < kChunk; from += kUnrolled<pixels>) {
      Steps<pixels, levels, where>(
          r, w.ring, chunk, from,
          std::make_integer_sequence<int, kUnrolled<pixels>>());
    }
  }
  HALFTONED_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    hn::Store(r.f[v], d, w.f[v]);
    hn::Store(r.sum[v], d, w.sum[v]);
    HALFTONED_UNROLL
    for (int s = 0; s < kSkew; ++s) hn::Store(r.below[s][v], d, w.below[s][v]);
    hn::Store(r.gathered[v], d, w.gathered[v]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_CORE_INL_H_
