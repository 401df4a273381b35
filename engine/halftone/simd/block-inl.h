// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a core does around its arithmetic: pixels of 64 steps from their rows to
// vectors, decisions of the last 64 to theirs, in shares that the steps of the
// arithmetic leave room for.

#if defined(HALFTONED_HALFTONE_SIMD_BLOCK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_SIMD_BLOCK_INL_H_
#undef HALFTONED_HALFTONE_SIMD_BLOCK_INL_H_
#else
#define HALFTONED_HALFTONE_SIMD_BLOCK_INL_H_
#endif

#include "halftone/simd/bits-inl.h"
#include "halftone/simd/core.h"
#include "halftone/simd/pixels-inl.h"
#include "halftone/simd/quantize-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// Steps that are written out one after another; a chunk is a loop over them.
constexpr int kTurnSteps = 4;
constexpr int kTurnsOfChunk = kChunk / kTurnSteps;
static_assert(kTurnsOfChunk % kVectors == 0 || kVectors % kTurnsOfChunk == 0);

using FeedAnyFunction = void (*)(const uint8_t* stage, int chunk, int vector,
                                 const CurveTables* curve, uint8_t* feed);

template <Pixels pixels>
HWY_NOINLINE void FeedWords(const uint8_t* stage, int chunk, int vector,
                            const CurveTables* curve, uint8_t* feed) {
  Feed<pixels, true>(stage, chunk, vector, curve, feed);
}

// Pixels of any kind in, samples of one bit out.
struct Passage {
  alignas(64) uint8_t stage[2][2 * kBlock / 16 * kPieceBytes];
  alignas(64) uint8_t feed[2][kVectors][kFeedBytes];
  Ring<2> ring;
  Window<1> window;
  FeedAnyFunction feed_any;
  int pixel_bytes;

  void Begin(Depth depth, bool is_curved) {
    std::memset(&ring, 0, sizeof(ring));
    pixel_bytes = static_cast<int>(BytesPerSample(depth));
    feed_any = depth == Depth::k8 ? (is_curved ? FeedWords<Pixels::kCurvedBytes>
                                               : FeedWords<Pixels::kBytes>)
                                  : (is_curved ? FeedWords<Pixels::kCurvedWords>
                                               : FeedWords<Pixels::kWords>);
  }

  void StageAll(const BlockIo& io) {
    for (int slot = 0; slot < kSlots; ++slot) {
      StageRow(io.gray[slot] + io.gray_offset, pixel_bytes,
               stage[io.parity] + slot / kLanes * 8 * kVectorBytes,
               slot % kLanes);
    }
    for (int v = 0; v < kVectors; ++v) {
      feed_any(stage[io.parity], 0, v, io.curve, feed[0][v]);
    }
  }

  // The ring step, before its vectors' skew, at which the window of the block
  // of this parity begins.
  static constexpr int WindowBegin(int parity) {
    return (kBlock * parity + kRingSteps - kBlock - kWindowLag) % kRingSteps;
  }

  void EmitAll(const BlockIo& io) {
    for (int v = 0; v < kVectors; ++v) {
      MakeWindow(ring, v, WindowBegin(io.parity), window);
      for (int lane = 0; lane < kLanes; ++lane) {
        std::memcpy(io.bits[v * kLanes + lane] + io.bits_offset,
                    window.bytes() + Window<1>::At(0, lane), 8);
      }
    }
  }
};

// One turn's share of what a block moves.
struct TurnIo {
  Passage& passage;
  const BlockIo& io;
  int chunk;
  int turn;

  HWY_INLINE void Move() const {
    constexpr int kRows = kSlots / kChunks / kTurnsOfChunk;
    const int first = chunk * kSlots / kChunks + turn * kRows;
    const int v = first / kLanes;
    if (first % kLanes == 0) {
      MakeWindow(passage.ring, v, Passage::WindowBegin(io.parity),
                 passage.window);
    }
    uint8_t* const stage = passage.stage[io.parity ^ 1] + v * 8 * kVectorBytes;
    const uint8_t* const window = passage.window.bytes();
    for (int slot = first; slot < first + kRows; ++slot) {
      const int lane = slot % kLanes;
      StageRow(io.gray[slot] + io.gray_offset, passage.pixel_bytes, stage,
               lane);
      std::memcpy(io.bits[slot] + io.bits_offset,
                  window + Window<1>::At(0, lane), 8);
    }
    FetchAhead();
    Feed();
  }

 private:
  HWY_INLINE void FetchAhead() const {
    constexpr int kRuns = kSlots / kTurns;  // of a block: 8, 8 or 4
    constexpr int kParts = kChunks * kTurnsOfChunk / kRuns;
    const int part = chunk * kTurnsOfChunk + turn;
    const int bytes = kTurns * kBlock / kParts * passage.pixel_bytes;
    const uint8_t* from = io.gray_ahead[part / kParts] + part % kParts * bytes;
    for (int line = 0; line < bytes; line += 64) {
      __builtin_prefetch(from + line, 0, 2);
    }
    if (part % kParts == 0) __builtin_prefetch(io.bits_ahead[part / kParts], 1);
  }

  // The next chunk's pixels of one vector. Those of a block's first chunk are
  // staged with the last turn of the block before, so they come last.
  HWY_INLINE void Feed() const {
    constexpr int kEvery = kTurnsOfChunk / kVectors;
    if (turn % kEvery != kEvery - 1) return;
    const int v = turn / kEvery;
    const bool is_next_block = chunk + 1 == kChunks;
    passage.feed_any(passage.stage[io.parity ^ (is_next_block ? 1 : 0)],
                     (chunk + 1) % kChunks, v, io.curve,
                     passage.feed[(chunk + 1) % 2][v]);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_SIMD_BLOCK_INL_H_
